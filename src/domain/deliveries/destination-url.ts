/** The shape of a destination's url: https, a public host by its looks, nothing that a parser would have to repair. [spec 2, decisions 7] */
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** `literal`: the address that takes the place of a name; then there is nothing to resolve. */
type UrlJudgement =
  | { readonly ok: true; readonly href: string; readonly host: string; readonly literal: string | null }
  | { readonly ok: false; readonly detail: string };

const MAX_URL_CHARACTERS = 2_048;

/** Names that no public resolver knows, with all below them. [research/reliability 2] */
const LOCAL_SUFFIXES = ['localhost', 'local', 'internal', 'lan', 'home.arpa', 'test', 'invalid', 'onion'];

const refused = (detail: string): UrlJudgement => ({ ok: false, detail });

/**
 * Judges what can be judged without a resolver. `forwardedHosts` are the names that `--forward` sends elsewhere:
 * they are never resolved and reach nothing else, so any name will do. [decisions 7]
 */
export function judgeDestinationUrl(url: string, forwardedHosts: ReadonlySet<string>): UrlJudgement {
  if (url.length > MAX_URL_CHARACTERS) return refused(`The url is longer than ${MAX_URL_CHARACTERS} characters.`);
  // WHATWG parsing drops, rewrites or repairs these; what was judged must be what was written.
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

/** The host as it is compared and resolved: lower case, no brackets, no dot at its end. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/[[\]]/g, '').replace(/\.$/, '');

function judgeHost(parsed: URL, forwardedHosts: ReadonlySet<string>): UrlJudgement {
  const host = hostOf(parsed);
  const { href } = parsed;
  if (forwardedHosts.has(host)) return { ok: true, href, host, literal: null };
  // The parser has written every odd form (2130706433, 0x7f.1, full-width digits) as a plain address by now.
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
