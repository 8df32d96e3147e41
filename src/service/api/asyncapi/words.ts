/** The prose of the AsyncAPI document. [watch-protocol] */
import {
  hostClaimTopic,
  MAX_POSITIONS_PER_MESSAGE,
  MAX_WATCH_PAYLOAD_BYTES,
  WATCH_ROOT,
} from '../../../contract/watch.ts';

export const TITLE = 'Watch protocol';

export const INTRODUCTION = `How a watch communicates with the service over MQTT 3.1.1. This document is written from the point of view of the watch: it \`send\`s messages to the service and \`receive\`s messages from it. The API specification does not describe this protocol, so it is the sandbox's own contract. Emulated watches use it, and your firmware or gateway can use it too.

## Access

- User name: the watch's serial. Password: the watch's own key. Client id: the serial, or the serial, a slash and a suffix for a second tool of the same watch. Two clients with the same id disconnect each other.
- A wrong key or an unknown serial gets return code 4. A client id or a last will that does not belong to the watch gets return code 5. MQTT 5 is refused.
- A watch publishes only under its own \`up/\` and subscribes only to its own \`${WATCH_ROOT}/{site}/{serial}/down/#\`, its site's \`${WATCH_ROOT}/{site}/all/#\` (or to single topics of them) and \`${WATCH_ROOT}/host/state\`. Any other subscription gets 128, and the connection stays open: \`$SYS/\`, \`$share/\`, a wildcard instead of a serial, or its own \`up/\`.
- The broker closes the connection after a PUBLISH to any other topic, also to an unknown leaf under its own \`up/\`. The same applies to QoS 2, and to a payload of more than ${MAX_WATCH_PAYLOAD_BYTES} bytes.

## Sessions

- Sessions are clean: the broker stores nothing for a watch that is not connected. A watch subscribes and then publishes its birth message. The service then sends its open prompts and alerts on \`down/alert\`. The muster, the configuration and the state of the host are retained.
- \`session\` increases by 1 at each connection. \`seq\` counts from 1 within a session, over all topics; \`up/status\` has no \`seq\`.
- The last will is published on \`up/status\` with the session's number, so that the last will of an older session is ignored. A last will changes nothing in the API: the time without contact is measured from the last packet, including PINGREQ.
- Nothing old overwrites anything newer. Of \`up/battery\`, the report with the highest (\`session\`, \`seq\`) counts; of \`up/position\`, the one with the latest \`t\`; of \`up/event/*\`, each new \`id\`, of any session. A late message is contact, fills the history of positions, and changes nothing else. A birth opens its session, even with a lower number, as after new firmware; one whose number is not above the last one also clears the last (\`session\`, \`seq\`) of the battery (\`sandbox up --strict\` refuses it). A repeated birth (DUP) with a lower number is ignored. A higher session opens without a birth too.
- At an external broker, a message that the broker kept (RETAIN) is acknowledged, ignored and noted in the log. A retained birth restores presence, session and firmware, and is no contact. At the sandbox's own broker, RETAIN has no meaning.

## What a PUBACK means

- The uplink is stored, or permanently refused. Repeat an uplink of QoS 1 with the same \`id\` until its PUBACK arrives. The watch's serial and the \`id\` together decide whether it is a duplicate.
- A payload that does not match its schema also gets its PUBACK. It is dropped, counted and shown in the sandbox's log, and the connection stays open. Unknown keys do not match the schema, so that no pulse and no other vital sign can be stored. If one position is invalid, the whole array is refused (of at most ${MAX_POSITIONS_PER_MESSAGE}).
- If the service cannot store anything, it sends no PUBACK and closes the connection.
- The service accepts QoS 0 and 1 on every topic under \`up/\`. The QoS of an operation is the one that the emulated watches use.

## Times

\`t\` is the watch's own clock, in UTC with milliseconds. Only the acknowledgement by the worker uses that clock. Everything else uses the time of arrival. A \`t\` more than 5 minutes before the arrival is old and does not move the worker. A \`t\` in the future counts as the time of arrival.

## Reading

A watch acknowledges each message that it receives with QoS 1. A watch that does not read is disconnected within 10 s, and does not delay other watches.

At an external broker the service keeps a retained claim on \`${hostClaimTopic('{site}')}\`, by which a second sandbox detects that the site is already in use. Watches ignore it.`;

export const SERVER_WORDS =
  'The broker of a running sandbox. `sandbox up` prints its address, and serials and keys of its watches.';

export const KEY_WORDS =
  'User name: the serial of the watch. Password: its own key, from the ready line of `sandbox up` or by `sandbox env --format json`.';

export const PARAMETER_WORDS = {
  site: 'The UUID of the site, in lower case, as `GET /v1/sites` and the ready line give it.',
  serial: 'The serial of the watch. `all` is not a serial: it means all watches of a site.',
  kind: 'What the watch or its wearer reports.',
} as const;
