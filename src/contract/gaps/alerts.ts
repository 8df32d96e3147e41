/** Open points of alerts: details, rules, titles, and the veil. [decisions 4, 5, 6] */
import { type Gap, gap } from './gap.ts';

export const ALERT_GAPS: readonly Gap[] = [
  gap(
    'details-mapping',
    '2 AlertDetails',
    'Which details variant belongs to which alert type?',
    'sos SosDetails, fall_detected FallDetails, the zone and permit types ZoneDetails, heat_stress HeatStressDetails, evacuation_help EvacuationHelpDetails, worker_call_request WorkerCallDetails, device_offline DeviceOfflineDetails, low_battery LowBatteryDetails, earthquake and tsunami_risk HazardDetails.',
  ),
  gap(
    'severities',
    '2 Severity',
    'Which severity has each alert type?',
    'critical: sos, fall_detected, evacuation_help; high: forbidden_zone_entry, heat_stress, earthquake, tsunami_risk; medium: restricted_zone_entry, permit_expired_inside, permit_closed_inside, worker_call_request, device_offline; low: low_battery.',
  ),
  gap(
    'title-form',
    '2 Alert',
    'How is a title composed?',
    '"<Type in words>: <worker name or external_id> in <zone>", absent parts dropped; site-wide: "<Type in words> at <site>".',
  ),
  gap(
    'one-open-alert',
    '2 Alert',
    'Does a second press, fall or call make a second alert?',
    'Not while one of that worker and type is open: it adds a line to the timeline. After resolution it makes a new alert.',
  ),
  gap(
    'fall-prompt',
    '2 FallDetails',
    'How long may the are-you-ok prompt stay unanswered, and what does an answer do?',
    '30 s. "I\'m OK" stops the escalation and nothing more; "help" is an SOS after_fall at once and leaves escalated_to_sos false; no answer is an SOS after_fall and escalated_to_sos true, seen by GET and in the next event.',
  ),
  gap(
    'offline-after',
    '2 DeviceOfflineDetails',
    'After how long a silence is a watch offline?',
    '10 min without contact while last seen on site; one alert until contact.',
  ),
  gap(
    'contact-of-a-watch',
    '2 DeviceOfflineDetails',
    'What of a watch counts as contact?',
    "Any packet at the sandbox's own broker, a PINGREQ too. With an external broker (up --broker) only messages: a PINGREQ ends there.",
  ),
  gap(
    'low-battery-at',
    '2 LowBatteryDetails',
    'At which charge is a battery low?',
    'At or below 20 %; again only after it rose above 25 %.',
  ),
  gap(
    'nearby-age',
    '2 Nearby',
    'How old may a position be to count as nearby?',
    '2 min; distances are rounded down; nobody is listed for a person in a privacy zone.',
  ),
  gap(
    'frozen-references',
    '2 Alert',
    'Do the worker, watch, battery and site of an alert follow later changes?',
    "They are as of the alert's last change, so that stored object, event and GET are equal.",
  ),
  gap(
    'veil-location',
    '2 Alert',
    'Does an alert below the unveiling severity get its location later?',
    'No: location null and location_withheld true for good; its zone is null and its title names none (zone and permit alerts excepted).',
  ),
  gap(
    'nearby-under-veil',
    '2 Nearby',
    'Does the on-demand veil hide people from nearby?',
    'No: only a privacy zone does. It tells a distance, never a position.',
  ),
  gap(
    'zone-entry',
    '2 ZoneDetails',
    'When has somebody entered a restricted or forbidden zone?',
    'At the second fix running that is inside by at least its uncertainty (a zone narrower than twice that: the point itself; unknown uncertainty: ignored). A new alert needs an exit first, outside by more than the uncertainty. One open alert per worker and zone.',
  ),
  gap(
    'permits',
    '2 ZoneDetails',
    'What does a work permit change?',
    'In force, it opens a restricted zone; a forbidden one still raises an alert, with its reference. When it runs out or is closed while its holder is inside, that is an alert of its own, whatever other permits they have; the stay raises no entry alert besides.',
  ),
  gap(
    'heat-rule',
    '2 HeatStressDetails',
    'When is heat an alert?',
    'At a heat index of 41 C or more, or of 32 C or more with 60 min of sun in the last 90: outdoors, by daylight, with the sun more than 10 degrees high. Again after 60 min. sun_exposure_minutes counts the last 90 min.',
  ),
  gap(
    'hazard-updates',
    '2 HazardDetails',
    'What does an official notice of a hazard do that the service estimated itself?',
    'It updates the open alert, official true, without an event; what it does not say stays as it was. A further estimate adds a line to the timeline.',
  ),
  gap(
    'vehicle-warnings',
    '2 VehicleWarning',
    'Which alerts tell of vehicles, and when is one near?',
    'sos and fall_detected: notices of the 10 min before and until resolution; each is a change of the alert without an event. Near is under 15 m between a moving vehicle and a report no older than 30 s, once in 2 min, and never for somebody in a privacy zone.',
  ),
  gap(
    'assignment',
    '2 Alert',
    'Who changes assigned_to, and does an event tell of it?',
    'Whoever takes charge of an alert that nobody has, and the panel on an open one. Assigning alone has no event: date_last_modified tells.',
  ),
];
