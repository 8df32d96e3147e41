/**
 * The vocabulary of all screens: for each status its signs, its words, its colour and its rank. A screen reads its row here
 * and has no table of its own, so terminal, panel, reports and documentation agree. Pages read this file in a browser, so it
 * imports little. [decisions 6, 10]
 */
import type {
  AlertType,
  DeviceStatus,
  HelpReason,
  MusterPhase,
  MusterStatus,
  RunStatus,
  Severity,
} from '../enumerations.ts';
import { COUNTED_STATUSES, type CountedStatus, type MissingStatus } from './headcount.ts';

/** The colours that a sign or a word can have; palette.ts has their values for pages, and terminal-colours.ts for terminals. */
export const COLOUR_TOKENS = ['red', 'orange', 'amber', 'ochre', 'violet', 'blue', 'teal', 'green', 'grey'] as const;
export type ColourToken = (typeof COLOUR_TOKENS)[number];

export interface Term {
  /** One cell of a terminal; no other term has it. */
  readonly glyph: string;
  /** For fonts without the glyph; no other term of its group has it. */
  readonly ascii: string;
  /** As in a table or a legend: `wrong point`. */
  readonly word: string;
  /** At most 8 characters, for narrow columns. */
  readonly short: string;
  /** Behind "is" or "are" in a sentence that is read aloud: `at a wrong point`. */
  readonly spoken: string;
  readonly token: ColourToken;
  /** The place in its group; 1 is the most urgent. */
  readonly rank: number;
}

type TermRow = readonly [glyph: string, ascii: string, word: string, short: string, spoken: string, token: ColourToken];

/** Ranks follow the order of the rows: the most urgent first. The mark lets a page leave out the groups that it does not show. */
/* @__NO_SIDE_EFFECTS__ */
function group<K extends string>(rows: Readonly<Record<K, TermRow>>): Readonly<Record<K, Term>> {
  const terms = Object.entries<TermRow>(rows).map(([key, [glyph, ascii, word, short, spoken, token]], index) => [
    key,
    { glyph, ascii, word, short, spoken, token, rank: index + 1 },
  ]);
  return Object.fromEntries(terms) as Record<K, Term>;
}

/** A status in the headcount, or what ranks beside them: who must be rescued, who helps another, who is in no muster. */
type PersonTerm = CountedStatus | 'rescue' | 'helping' | 'person';

/** People. `help` is the API's total of all who called; `rescue` those of them, and of others, to whom somebody must go. */
export const PERSON_TERMS = group<PersonTerm>({
  rescue: ['▲', '!', 'to rescue', 'rescue', 'to be rescued', 'red'],
  help: ['△', '^', 'called for help', 'help', 'calling for help', 'orange'],
  wrong_point: ['◆', '#', 'wrong point', 'wrong pt', 'at a wrong point', 'violet'],
  no_signal: ['◇', '?', 'no signal', 'no sig', 'without signal', 'ochre'],
  not_worn: ['◌', '~', 'not worn', 'unworn', 'without their watch on', 'blue'],
  pending: ['▹', '>', 'not arrived', 'not here', 'not arrived', 'teal'],
  helping: ['⊕', '+', 'helping', 'helping', 'helping another', 'teal'],
  person: ['○', 'o', 'on site', 'on site', 'on site', 'blue'],
  safe: ['●', '@', 'safe', 'safe', 'safe', 'green'],
});

/** All statuses of a headcount, the most serious first. */
export const BY_SERIOUSNESS: readonly CountedStatus[] = COUNTED_STATUSES.toSorted(
  (a, b) => PERSON_TERMS[a].rank - PERSON_TERMS[b].rank,
);

/** The statuses of people who are not safe, the most serious first. */
export const NOT_SAFE_STATUSES: readonly MissingStatus[] = BY_SERIOUSNESS.filter((status) => status !== 'safe');

/** The word of each status of a headcount. */
export const HEADCOUNT_WORDS = Object.fromEntries(
  COUNTED_STATUSES.map((status) => [status, PERSON_TERMS[status].word]),
) as Readonly<Record<CountedStatus, string>>;

/** Why somebody cannot evacuate: the first two must be rescued. */
export const HELP_REASON_WORDS: Readonly<Record<HelpReason, string>> = {
  trapped: 'trapped',
  injured: 'injured',
  helping: PERSON_TERMS.helping.word,
};

export const SEVERITY_TERMS = group<Severity>({
  critical: ['■', '!', 'critical', 'CRIT', 'critical', 'red'],
  high: ['▣', '#', 'high', 'HIGH', 'high', 'orange'],
  medium: ['◧', '=', 'medium', 'MED', 'medium', 'amber'],
  low: ['□', 'o', 'low', 'LOW', 'low', 'grey'],
});

/** What happened, as a row says it; the title of an alert is that of the API. */
export const ALERT_TERMS = group<AlertType>({
  sos: ['◉', '!', 'SOS', 'SOS', 'calling SOS', 'red'],
  evacuation_help: ['⊞', '+', 'cannot evacuate', 'help', 'unable to evacuate', 'red'],
  fall_detected: ['▼', 'v', 'fall', 'fall', 'fallen', 'red'],
  tsunami_risk: ['≋', 'w', 'tsunami risk', 'tsunami', 'at risk of a tsunami', 'red'],
  earthquake: ['∿', 'z', 'earthquake', 'quake', 'in an earthquake', 'red'],
  forbidden_zone_entry: ['⊗', 'x', 'forbidden zone', 'forbid', 'in a forbidden zone', 'red'],
  permit_expired_inside: ['◔', 'e', 'permit expired', 'expired', 'inside with an expired permit', 'orange'],
  permit_closed_inside: ['◕', 'c', 'permit closed', 'closed', 'inside with a closed permit', 'orange'],
  restricted_zone_entry: ['◪', 'r', 'restricted zone', 'restrict', 'in a restricted zone', 'amber'],
  heat_stress: ['⊙', 'h', 'heat', 'heat', 'under heat stress', 'orange'],
  worker_call_request: ['⇄', 't', 'call requested', 'call', 'waiting for a call', 'amber'],
  device_offline: ['⊘', '0', 'watch offline', 'offline', 'out of contact', 'grey'],
  low_battery: ['◒', 'b', 'low battery', 'battery', 'low on battery', 'grey'],
});

/** The phase of an active muster, and how it ended. */
export const MUSTER_TERMS = group<MusterPhase | Exclude<MusterStatus, 'active'>>({
  evacuating: ['⇉', '>', 'evacuating', 'evac', 'evacuating', 'amber'],
  inspecting: ['◎', '?', 'inspecting', 'inspect', 'inspecting', 'blue'],
  cancelled: ['∅', 'x', 'cancelled', 'cancel', 'cancelled', 'grey'],
  completed: ['∎', 'o', 'completed', 'complete', 'completed', 'green'],
});

/** The phase of an active muster; else how it ended. */
export const musterTerm = ({ status, phase }: { readonly status: MusterStatus; readonly phase: MusterPhase }): Term =>
  MUSTER_TERMS[status === 'active' ? phase : status];

/** How a delivery to a destination stands. `failed`: one attempt; `lost`: no further one comes. */
export const DELIVERY_TERMS = group<'lost' | 'failed' | 'waiting' | 'delivered'>({
  lost: ['⊠', 'X', 'lost', 'lost', 'lost', 'red'],
  failed: ['↛', '!', 'failed', 'failed', 'failed', 'orange'],
  waiting: ['↻', '?', 'waiting', 'waiting', 'waiting', 'ochre'],
  delivered: ['↦', '>', 'delivered', 'sent', 'delivered', 'green'],
});

/** Whether a watch is in service. [spec 2 Device] */
export const WATCH_TERMS = group<DeviceStatus>({
  lost: ['⊖', '?', 'lost', 'lost', 'lost', 'red'],
  maintenance: ['⊟', 'm', 'in maintenance', 'service', 'in maintenance', 'ochre'],
  inactive: ['◫', 'i', 'not in service', 'inactive', 'not in service', 'grey'],
  active: ['◍', 'o', 'in service', 'active', 'in service', 'green'],
});

/** The result of a run or of one check. `not_judged`: the machine or the user's system gave no chance to judge. */
type CheckTerm = Extract<RunStatus, 'passed' | 'failed' | 'skipped' | 'known_failure'> | 'advice' | 'not_judged';

export const CHECK_TERMS = group<CheckTerm>({
  failed: ['✗', 'x', 'failed', 'FAIL', 'failed', 'red'],
  not_judged: ['∘', '?', 'not judged', 'unjudged', 'not judged', 'ochre'],
  known_failure: ['⊜', '=', 'known failure', 'known', 'a known failure', 'amber'],
  advice: ['!', '!', 'advice', 'advice', 'advice', 'amber'],
  skipped: ['↷', '~', 'skipped', 'SKIP', 'skipped', 'grey'],
  passed: ['✓', 'v', 'passed', 'ok', 'passed', 'green'],
});

/** The term of a run that has ended; what ends in an error has failed too. */
export const runTerm = (verdict: Exclude<RunStatus, 'running' | 'cancelled'>): Term =>
  CHECK_TERMS[verdict === 'error' ? 'failed' : verdict];

/** All groups by the name that the guide gives them. */
export const VOCABULARY = {
  People: PERSON_TERMS,
  Severities: SEVERITY_TERMS,
  Alerts: ALERT_TERMS,
  Musters: MUSTER_TERMS,
  Deliveries: DELIVERY_TERMS,
  Watches: WATCH_TERMS,
  Checks: CHECK_TERMS,
} as const satisfies Readonly<Record<string, Readonly<Record<string, Term>>>>;
