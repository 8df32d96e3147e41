/** Non-standard input: accepted with a warning in the request log, and refused with `--strict`. [decisions 3] */

export const LENIENCIES = {
  'token-json': {
    warning: 'The token request was JSON; production may accept only form encoding.',
    fix: 'Send grant_type, client_id and client_secret as application/x-www-form-urlencoded.',
    clause: 'decisions 3; RFC 6749 4.4.2',
  },
  'basic-alphabet': {
    warning: 'HTTP Basic was in base64url or without padding; production may accept only base64.',
    fix: 'Encode id:secret with the standard alphabet (+ and /) and with = at the end.',
    clause: 'decisions 3; RFC 7617 2',
  },
  'encoded-comma': {
    warning: 'An encoded comma (%2C) separated the values of a list; production may read it as part of the value.',
    fix: 'Repeat the parameter (status=a&status=b), or write the comma without encoding it (status=a,b).',
    clause: 'decisions 1',
  },
} as const;

export type LeniencyName = keyof typeof LENIENCIES;

/** The leniency whose warning has this text; undefined if there is none. */
export const leniencyOf = (warning: string): LeniencyName | undefined =>
  (Object.keys(LENIENCIES) as LeniencyName[]).find((name) => LENIENCIES[name].warning === warning);
