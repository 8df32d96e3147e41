/** Non-standard input: accepted with a warning in the request log, and refused with `--strict`. [decisions 1, 3] */

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
  'time-without-seconds': {
    warning: 'A time had no seconds (2026-10-05T06:00Z); production may refuse it.',
    fix: 'Write the seconds. In Java, format with DateTimeFormatter.ISO_INSTANT: OffsetDateTime.toString() omits them on whole minutes.',
    clause: 'decisions 1; RFC 3339 5.6',
  },
  'body-mark': {
    warning: 'The JSON body began with a byte order mark; production may refuse it.',
    fix: 'Write the body as UTF-8 without a byte order mark. In .NET: new UTF8Encoding(false).',
    clause: 'decisions 1; RFC 8259 8.1',
  },
  'body-charset': {
    warning:
      'The Content-Type named a charset other than UTF-8; the body was read as UTF-8, and production may refuse it.',
    fix: 'Send application/json without a charset, or with charset=utf-8.',
    clause: 'decisions 1; RFC 8259 8.1',
  },
} as const;

export type LeniencyName = keyof typeof LENIENCIES;

/** The leniency whose warning has this text; undefined if there is none. */
export const leniencyOf = (warning: string): LeniencyName | undefined =>
  (Object.keys(LENIENCIES) as LeniencyName[]).find((name) => LENIENCIES[name].warning === warning);
