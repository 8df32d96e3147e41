/** Which urls a destination may have: every case of research/reliability 2, tried without a resolver. */
import { describe, expect, test } from 'vitest';
import { judgeDestinationUrl } from '../../../../src/service/domain/deliveries/destination-url.ts';
import { isPublicAddress } from '../../../../src/service/domain/deliveries/public-address.ts';

const NO_FORWARDS: ReadonlySet<string> = new Set();
const at = (host: string) => `https://${host}/`;

const ACCEPTED = [
  'https://ok.example/hook',
  'https://93.184.216.34/hook',
  'https://[2606:2800:220:1:248:1893:25c8:1946]/',
  'HTTPS://OK.EXAMPLE:8443/Hook?x=1',
  'https://xn--strae-oqa.example/h',
];

const SCHEME = [
  'http://ok.example/',
  'ftp://ok.example/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/plain,hi',
  'gopher://127.0.0.1:25/_x',
  '//ok.example/h',
  'ok.example/h',
  '',
  'https://',
];

const SHAPE = [
  'https:ok.example/h',
  'https:///ok.example/h',
  'https:\\\\ok.example\\h',
  ' https://ok.example/',
  'https://ok.example/\r\nX-Evil: 1',
  'https://ok.exa\tmple/',
  'https://ok.example:0/',
  'https://ok.example:99999/',
  'https://ok.example/#f',
  `https://ok.example/${'a'.repeat(2_981)}`,
];

const USERINFO = [
  'https://user:pass@ok.example/',
  'https://ok.example@127.0.0.1/',
  'https://127.0.0.1#@ok.example/',
  'https://127.1.1.1:80\\@127.2.2.2:80/',
];

const V4_FORMS = [
  'https://127.0.0.1/',
  'https://127.0.0.1:443/',
  ...[
    '127.1',
    '127.0.1',
    '127.127.127.127',
    '2130706433',
    '0x7f000001',
    '0x7f.0x0.0x0.0x1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '0',
    '0.0.0.0',
    '①②⑦.⓪.⓪.①',
    '１２７.０.０.１',
    '127。0。0。1',
    '%31%32%37.0.0.1',
  ].map(at),
];

const LOCAL_NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'foo.localhost',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'printer.local',
  'metadata.google.internal',
  'intranet',
].map(at);

/** Only a resolver can tell what these are; at creation they are resolved, at delivery they are blocked. */
const NAMES_FOR_A_RESOLVER = ['localtest.me', '127.0.0.1.nip.io', 'kubernetes.default.svc'].map(at);

const V4_NETWORKS = [
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '2852039166',
  '0xA9FEA9FE',
  '169.254.170.2',
  '100.64.0.1',
  '100.100.100.200',
  '192.0.0.192',
  '198.18.0.1',
  '192.0.2.1',
  '198.51.100.7',
  '203.0.113.9',
  '192.88.99.1',
  '192.31.196.1',
  '192.52.193.1',
  '192.175.48.1',
  '168.63.129.16',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
];

const V6 = [
  '::1',
  '::',
  '0:0:0:0:0:0:0:1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '0:0:0:0:0:ffff:169.254.169.254',
  '::127.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  'fe80::1',
  'fe80::1%25eth0',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254',
  'fd7a:115c:a1e0::1',
  'ff02::1',
  '2001:db8::1',
  '3fff::1',
  '100::1',
  '5f00::1',
  '4000::1',
];

const EDGES = [
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.0.1.1',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:500::1',
  '2a00:1450:4009::200e',
];

describe('an url is accepted', () => {
  test.each(ACCEPTED)('a public https address is accepted: %s', (url) => {
    expect(judgeDestinationUrl(url, NO_FORWARDS)).toMatchObject({ ok: true, href: new URL(url).href });
  });

  test.each(EDGES)('an address just outside a closed network is accepted: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
    const url = at(address.includes(':') ? `[${address}]` : address);
    expect(judgeDestinationUrl(url, NO_FORWARDS)).toMatchObject({ ok: true, literal: address });
  });

  test.each(NAMES_FOR_A_RESOLVER)('by its looks where only a resolver can tell: %s', (url) => {
    expect(judgeDestinationUrl(url, NO_FORWARDS)).toMatchObject({ ok: true, literal: null });
  });

  test('a forwarded host is accepted, whatever its name', () => {
    const forwarded = new Set(['receiver.example', 'erp', 'hooks.localhost']);
    for (const host of ['receiver.example', 'RECEIVER.example', 'erp', 'hooks.localhost', 'receiver.example.'])
      expect(judgeDestinationUrl(at(host), forwarded), host).toMatchObject({ ok: true, literal: null });
  });
});

describe('an url is refused', () => {
  const groups = { SCHEME, SHAPE, USERINFO, V4_FORMS, LOCAL_NAMES, V4_NETWORKS: V4_NETWORKS.map(at) };
  for (const [group, urls] of Object.entries(groups))
    test.each(urls)(`${group}: %j`, (url) => {
      const judgement = judgeDestinationUrl(url, NO_FORWARDS);
      expect(judgement).toEqual({ ok: false, detail: expect.stringMatching(/^\S.*\.$/) });
    });

  test.each(V6)('V6: [%s]', (address) => {
    expect(judgeDestinationUrl(at(`[${address}]`), NO_FORWARDS).ok).toBe(false);
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(['.test', '.invalid', '.onion', '.lan', '.home.arpa'])('below %s, which is for local use', (suffix) => {
    const judgement = judgeDestinationUrl(at(`receiver${suffix}`), NO_FORWARDS);
    expect(judgement).toMatchObject({ ok: false, detail: expect.stringContaining(suffix) });
  });

  test('with empty credentials, an empty fragment or an empty label, which a parser would drop', () => {
    for (const url of ['https://@ok.example/', 'https://ok.example/#', 'https://ok..example/', 'https://.example/'])
      expect(judgeDestinationUrl(url, NO_FORWARDS).ok, url).toBe(false);
  });

  test.each([
    ['https://ok.example/a\u0001', 'control character'],
    ['https://ok.example/a\u0085', 'control character'],
    ['https://ok.example/a b', 'space or a backslash'],
    ['https://ok.example/a\\b', 'space or a backslash'],
    ['http://ok.example/', 'must begin with https://'],
    ['ftp://https://ok.example/', 'must begin with https://'],
    ['https:ok.example/https://x', 'must name a host'],
    ['https:///ok.example/', 'must name a host'],
    ['https://ok.example/?a#b', 'fragment'],
    ['https://user@ok.example/', 'credentials'],
    ['https://user@ok.example', 'credentials'],
    ['https://user:@ok.example?x', 'credentials'],
    ['https://ok.example:99999/', 'not valid'],
    ['https://ok.example:0/', 'port 0'],
  ])('%j, and told why', (url, why) => {
    expect(judgeDestinationUrl(url, NO_FORWARDS)).toEqual({ ok: false, detail: expect.stringContaining(why) });
  });

  test('for an @ in its host alone: in a path or a query it is as good as any character', () => {
    for (const url of ['https://ok.example/@team', 'https://ok.example?to=a@b', 'https://ok.example/a?b=@/@'])
      expect(judgeDestinationUrl(url, NO_FORWARDS).ok, url).toBe(true);
  });

  test('a host is refused if only a similar name is forwarded', () => {
    const forwarded = new Set(['erp']);
    expect(judgeDestinationUrl('https://erp2/', forwarded).ok).toBe(false);
    expect(judgeDestinationUrl('http://erp/', forwarded)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('https'),
    });
  });

  test('one character past 2,048, and not before', () => {
    const longest = `https://ok.example/${'a'.repeat(2_029)}`;
    expect(longest).toHaveLength(2_048);
    expect(judgeDestinationUrl(longest, NO_FORWARDS).ok).toBe(true);
    expect(judgeDestinationUrl(`${longest}a`, NO_FORWARDS).ok).toBe(false);
  });
});

test('what is no address at all is not public', () => {
  for (const text of ['', 'ok.example', '1.2.3', '93.184.216.34/32', '2606::1%eth0', '[2606::1]'])
    expect(isPublicAddress(text), text).toBe(false);
});
