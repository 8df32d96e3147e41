/** The prose of the AsyncAPI document. [watch-protocol] */
import {
  hostClaimTopic,
  MAX_POSITIONS_PER_MESSAGE,
  MAX_WATCH_PAYLOAD_BYTES,
  WATCH_ROOT,
} from '../../contract/watch.ts';

export const TITLE = 'Watch protocol';

export const INTRODUCTION = `How a watch communicates with the service over MQTT 3.1.1. This document takes the side of the watch: what it \`send\`s goes to the service, what it \`receive\`s comes from there. The API specification does not describe this protocol, so it is the sandbox's own contract. Emulated watches use it, and so can your firmware or gateway.

## Access

- User name: the watch's serial. Password: the watch's own key. Client id: the serial, or the serial, a slash and a suffix for another tool of the same watch beside it. Two clients with one id disconnect each other.
- A wrong key or an unknown serial is answered with return code 4, a client id or a last will that is not the watch's with 5. MQTT 5 is refused.
- A watch publishes only under its own \`up/\` and subscribes only to its own \`${WATCH_ROOT}/{site}/{serial}/down/#\`, its site's \`${WATCH_ROOT}/{site}/all/#\` (or to single topics of them) and \`${WATCH_ROOT}/host/state\`. Any other subscription is answered with 128, and the connection goes on: \`$SYS/\`, \`$share/\`, wildcards in place of a serial, its own \`up/\`.
- A PUBLISH to any other topic, an unknown leaf under its own \`up/\` too, QoS 2, or a payload of more than ${MAX_WATCH_PAYLOAD_BYTES} bytes ends the connection.

## Sessions

- Sessions are clean: nothing is kept for a watch that is not connected. A watch subscribes, then publishes its birth; the service then sends its open prompts and alerts on \`down/alert\`. The muster, the configuration and the state of the host are retained.
- \`session\` is one more at each connection. \`seq\` counts from 1 within a session, over all topics; \`up/status\` has none.
- The last will is published on \`up/status\` with the session's number, so that the last will of an older session is ignored. A last will changes nothing in the API: silence counts from the last contact, and contact is any packet, PINGREQ included.

## What a PUBACK means

- The uplink is stored, or permanently refused. Repeat an uplink of QoS 1 with the same \`id\` until its PUBACK arrives. The \`id\` alone decides whether it is a duplicate.
- A payload that breaks its schema gets its PUBACK too, is dropped, counted and shown in the sandbox's log, and the connection stays. Unknown keys break the schema: no pulse and no other vital sign may enter. One bad position refuses its whole array (of at most ${MAX_POSITIONS_PER_MESSAGE}).
- If the service cannot store anything, it sends no PUBACK and closes the connection.
- The service takes QoS 0 and 1 on every topic under \`up/\`; the QoS of an operation is what watches use.

## Times

\`t\` is the watch's own clock, in UTC with milliseconds. Only the acknowledgement by the worker uses that clock. Everything else uses the time of arrival. A \`t\` more than 5 minutes before the arrival is old and does not move the worker. A \`t\` in the future counts as the time of arrival.

## Reading

A watch acknowledges what it is sent with QoS 1. A watch that does not read is disconnected within 10 s, and delays no other watch.

At an external broker the service keeps a retained claim on \`${hostClaimTopic('{site}')}\`, by which a second sandbox notices that the site is taken. Watches ignore it.`;

export const SERVER_WORDS =
  'The broker of a running sandbox. `sandbox up` prints its address, and serials and keys of its watches.';

export const KEY_WORDS =
  'User name: the serial of the watch. Password: its own key, from the ready line of `sandbox up` or by `sandbox env --format json`.';

export const PARAMETER_WORDS = {
  site: 'The UUID of the site, in lower case, as `GET /v1/sites` and the ready line give it.',
  serial: 'The serial of the watch. `all` is not a serial: it means all watches of a site.',
  kind: 'What the watch or its wearer reports.',
} as const;
