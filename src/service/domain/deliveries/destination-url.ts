/** The form of a destination's url: https, a host that looks public, nothing that a parser would repair. [spec 2, decisions 7] */
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** `literal`: the IP address, if the url has one instead of a name. Then there is nothing to resolve. */
type UrlJudgement =
  | { readonly ok: true; readonly href: string; readonly host: string; readonly literal: string | null }
  | { readonly ok: false; readonly detail: string };

const MAX_URL_CHARACTERS = 2_048;

/** Names that public resolvers do not know, including all names below them. [research/reliability 2] */
const LOCAL_SUFFIXES = ['localhost', 'local', 'internal', 'lan', 'home.arpa', 'test', 'invalid', 'onion'];

const refused = (detail: string): UrlJudgement => ({ ok: false, detail });

/**
 * Checks everything that does not need a resolver. `forwardedHosts` are the names that `--forward` redirects. They are
 * never resolved and reach nothing else, so any name is accepted. [decisions 7]
 */
export function judgeDestinationUrl(url: string, forwardedHosts: ReadonlySet<string>): UrlJudgement {
  if (url.length > MAX_URL_CHARACTERS) return refused(`The url is longer than ${MAX_URL_CHARACTERS} characters.`);
  // WHATWG parsing drops, rewrites or repairs these. The url that is checked must be the one that was written.
  if (/[\u0000-\u001f\u007f-\u009f]/.test(url)) return refused('The url contains a control character.');
  if (/[ \\]/.test(url)) return refused('The url contains a space or a backslash.');
  if (!/^https:/i.test(url)) return refused('The url must begin with https://.');
  if (!/^https:\/\/[^/]/i.test(url)) return refused('The url must name a host right after https://.');
  if (url.includes('#')) return refused('The url must not have a fragment (#).');
  const authority = url.slice('https://'.length).replace(/[/?].*/, '');
  if (authority.includes('@')) return refused('The url must not carry credentials.');
  if (!URL.canParse(url)) return refused('The url is not valid: check its host and port.');
  const parsed = new URL(url);
  if (parsed.port === '0') return refused('The url must not name port 0.');
  return judgeHost(parsed, forwardedHosts);
}

/** The host as it is compared and resolved: lower case, without brackets and without a final dot. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/[[\]]/g, '').replace(/\.$/, '');

function judgeHost(parsed: URL, forwardedHosts: ReadonlySet<string>): UrlJudgement {
  const host = hostOf(parsed);
  const { href } = parsed;
  if (forwardedHosts.has(host)) return { ok: true, href, host, literal: null };
  // The parser has already normalised every unusual form (2130706433, 0x7f.1, full-width digits) to a plain address.
  if (isIP(host) !== 0) {
    if (isPublicAddress(host)) return { ok: true, href, host, literal: host };
    return refused(`${host} is not a public address.${FIX}`);
  }
  const labels = host.split('.');
  if (labels.includes('')) return refused(`${host} is not a host name.`);
  if (labels.length === 1) return refused(`${host} is not a public name: it has no dot.${FIX}`);
  const suffix = LOCAL_SUFFIXES.find((local) => host.endsWith(`.${local}`));
  if (suffix !== undefined) return refused(`${host} is not a public name: .${suffix} is for local use.${FIX}`);
  return { ok: true, href, host, literal: null };
}

const FIX = ' For a receiver on this machine use `sandbox up --forward` or `sandbox listen`.';
