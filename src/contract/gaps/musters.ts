/** Open points of evacuations: their count and the missing list. [decisions 4, 5, 6] */
import { type Gap, gap } from './gap.ts';

export const MUSTER_GAPS: readonly Gap[] = [
  gap(
    'muster-transitions',
    '3 Muster',
    'How does a muster move between its statuses and phases?',
    'Only people move it, in the panel; the API can open none. active and evacuating at its start; inspecting once nobody is missing; completed or cancelled from either phase, which it keeps. One is active on a site at a time.',
  ),
  gap(
    'muster-expected',
    '2 Muster totals',
    'Whom does a muster expect?',
    'Active workers of the site with a watch in service whose last position of the last 12 h was inside the site; who comes in later joins at the next count, who leaves stays.',
  ),
  gap(
    'muster-statuses',
    '2 Muster totals',
    'Which status counts where several hold?',
    'The first of safe, help, wrong_point, not_worn, no_signal (90 s without contact), pending; so expected is always their sum.',
  ),
  gap(
    'muster-safe',
    '2 AssemblyPoint',
    'When is somebody safe at a point?',
    'Inside an available point that serves the kind for 10 s, counted from the arrival of the first fix with a known uncertainty of at most 50 m; or declared there, until a newer position is more than 50 m from its edge; or marked by the control room. The last fix does not age.',
  ),
  gap(
    'muster-fixes',
    '2 AssemblyPoint',
    'What does a fix that is uncertain by more than 50 m, or by an unknown distance, say of an arrival?',
    'Nothing. It ends a stay only where it is surely outside: beyond its uncertainty, or 50 m where that is unknown.',
  ),
  gap(
    'muster-marked-point',
    '2 Muster totals',
    'What becomes of who was marked safe at a point that is excluded later, or does not serve a new kind?',
    'They count as wrong_point; marked without a point they stay safe, and count at none.',
  ),
  gap(
    'muster-recommended',
    '2 AssemblyPoint excluded',
    'When does the system recommend an exclusion?',
    "As of the exclusion: the point's own middle is within the origin's radius (of a zone: from its edge), or less than 1 km away and within 45 degrees of downwind. Calm air and an evacuation without origin recommend nothing.",
  ),
  gap(
    'muster-deadline',
    '2 Muster deadline',
    'Which deadline has a muster?',
    "The one that the control room gives, official where it says nothing else; without one the site plan's ceiling for the kind from the start, or from the change of kind; null without a plan.",
  ),
  gap(
    'muster-kind-phase',
    '3 Muster',
    'Does a change of kind turn inspecting back to evacuating?',
    'No: the phase stays. The change is counted at once, and exclusions stay.',
  ),
  gap(
    'muster-closing',
    '2 Muster totals',
    'Which count does a closed muster keep?',
    'One that is made as it ends: expected and safe. Its missing list is empty.',
  ),
  gap(
    'missing-order',
    '2 MissingWorker',
    'As of when is an entry of the missing list, and in which order?',
    'Status, help_reason and assembly_point are of the last count; needs_rescue, last_seen_at and location of now. Help first, then never seen, then longest ago.',
  ),
  gap(
    'missing-without-positions',
    '2 MissingWorker',
    'What is location without positions:read?',
    'null, and location_withheld is true where a position exists.',
  ),
  gap(
    'help-again',
    '2 EvacuationHelpDetails',
    'What does a second call for help change?',
    'One alert is open for a worker. Another reason changes its details without an event; a call without a reason keeps the known one; in a later muster muster_id follows.',
  ),
  gap(
    'muster-updated-order',
    '6',
    'Which comes first where one count changes the figures and finds somebody missing?',
    'muster.updated, dated when the count was due; muster.worker_missing a millisecond later, with the same figures.',
  ),
];
