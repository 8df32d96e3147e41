/** The prose of the OpenAPI document: introduction and resource groups. [spec 1, 5, 7, 8, 9] */
import type { Scope } from '../../contract/enumerations.ts';
import type { Tag } from '../route.ts';

export const TITLE = 'Alerts and Evacuations Integration API';

export const SUMMARY =
  'Alerts and evacuations of industrial sites whose workers wear watches, for a control-room system.';

export const INTRODUCTION = `What a panel user with the same permissions sees: the on-demand privacy veil, privacy zones and contractor scoping apply exactly as in the panel. No vital signs are exposed, not even aggregated. The API cannot open a muster: the system proposes and a person decides.

This is a sandbox with simulated watches. Under \`/v1/\` it offers what the real service offers and nothing more; what only a sandbox has stands under \`/v1/sandbox/\`.

## Conventions

- Ids are UUIDs. Times are ISO 8601 in UTC with milliseconds. A key whose value may be null is always there.
- Lists of alerts, musters, workers, devices and events come in pages: send \`next_cursor\` back as \`cursor\` with the same filters until it is null. The other lists are whole.
- A list parameter takes several values, separated by commas or by repeating it. Unknown parameters and unknown body fields are refused, so that a misspelt filter does not look like none.
- HEAD works wherever GET does. A method that a path does not take is 405 \`method_not_allowed\` with an \`Allow\` header.

## Errors

Errors are \`application/problem+json\` (RFC 9457). Program against \`code\`: the texts may change, the code does not. \`type\` is an address that explains the problem and its cure. \`errors\` lists each broken rule with its place. The token endpoint answers in the shape of RFC 6749.

## Limits

600 requests and 30 s of query time a minute for each client; over either, 429 with \`Retry-After\`. Bodies are at most 64 KiB.

## Versions

The path prefix is \`/v1\`; the version is a date, in every event as \`api_version\`. The interface is in preview: the contract may change.`;

export const TAG_WORDS: { readonly [T in Tag]: string } = {
  Authentication: 'OAuth 2.0 `client_credentials`; one client for each company.',
  Sites: 'The industrial sites of the company, and their zones.',
  Alerts: 'What people in the control room have to look at: read it, acknowledge it, resolve it.',
  Musters: 'Evacuations, their count, and who is missing.',
  'Workers and devices': 'Who works on the sites, and the watches that they wear.',
  Positions: 'Where people are, as far as privacy lets it through.',
  Events: 'The log of the last 30 days, to catch up or to replay.',
  Webhooks: 'Events pushed to the customer’s receiver, signed.',
  Sandbox: 'What exists in the sandbox only, and never in production: make things happen, and see what happened.',
};

/** [spec 5] */
export const SCOPE_WORDS: { readonly [S in Scope]: string } = {
  'alerts:read': 'Read alerts and zones.',
  'alerts:write': 'Acknowledge and resolve alerts, always with the operator.',
  'positions:read': 'Positions that the veil allows; also `location` of missing workers.',
  'musters:read': 'Musters and their count.',
  'workers:read': 'Workers and devices.',
  'webhooks:manage': 'Webhook destinations.',
};
