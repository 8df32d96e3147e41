/** The page of a comparison: what it says, that what a service says is text in it, and that nothing secret is in it. */
import { describe, expect, test } from 'vitest';
import { differencesIn } from '../../../src/proving/compare/comparison-result.ts';
import { comparisonHtml } from '../../../src/proving/compare/html-report.ts';
import { NAMES, recordedResult, SECRETS, SIDES, serviceResult } from './reported.ts';

const ABOUT = { sides: SIDES, recordings: [], known: new Set<string>(), isRedacted: true, version: '1.2.3' };
const RECORDED = { ...ABOUT, sides: null, recordings: ['<i>session</i>.har'] };

/** The text between the tags, with single spaces. */
const textOf = (page: string): string =>
  page
    .replace(/<style>.*?<\/style>/s, '')
    .replaceAll('<wbr>', '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#58;', ':')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');

describe('of a service', () => {
  const result = serviceResult();
  const text = textOf(comparisonHtml(result, ABOUT));
  const count = (kind: string) => result.checks.filter((one) => one.result === kind).length;

  test('counts, and names both addresses and the rate', () => {
    for (const kind of ['same', 'different', 'unknown']) expect(text).toContain(` ${kind} ${count(kind)} `);
    expect(count('different')).toBeGreaterThan(5);
    expect(text).toContain(
      ' service https://api.example.com/x sandbox http://127.0.0.1:4711 rate 60 requests a minute ',
    );
  });

  test('has each difference with both answers and its clause', () => {
    for (const one of result.checks.filter(({ result: kind }) => kind === 'different')) {
      expect(text).toContain(`${one.name} ${one.request} ${one.clause}`);
      const [status, code] = [one.service?.status, one.service?.code];
      expect(text).toContain(` status ${status} 422 code ${code} invalid_parameter Content-Type `);
    }
    expect(text).toContain(' code <script>alert(2)</script> invalid_parameter ');
  });

  test('has each open point with the readings, or why it is not known', () => {
    for (const { id, question, result: kind, observed, ours, switch: name, why } of result.points) {
      expect(text).toContain(` ${id} `);
      expect(text).toContain(question.replace(/\s+/g, ' '));
      if (kind === 'otherwise')
        expect(text.replaceAll('as in the list of open points', 'as here')).toContain(
          ` ${observed} ${ours} ${name === null ? why : `--assume ${name}=${observed}`} `,
        );
      if (why !== null) expect(text).toContain(why);
    }
  });

  test('separates what needs --allow-writes from what else is unknown', () => {
    const [, left = ''] = text.split(' These checks change something at the service');
    expect(left).toMatch(
      /not compared: needs --allow-writes destinations 1 .*needs --allow-writes acknowledge=ALERT_ID 1/,
    );
    expect(left).toContain(`no answer within 15 s ${count('unknown') - 2}`);
  });

  test('marks what the baseline knows, and passes where it knows all', () => {
    const known = new Set(differencesIn(result).map(({ key }) => key));
    const groups = result.groups.map((one) => ({ ...one, isKnown: true }));
    const page = comparisonHtml({ ...result, groups }, { ...ABOUT, known });
    expect(page).toContain('<span class="verdict passed">only known differences</span>');
    expect(page.match(/known to the baseline/g)).toHaveLength(known.size);
    expect(comparisonHtml(result, ABOUT)).not.toContain('known to the baseline');
  });
});

describe('of recorded traffic', () => {
  test('has each group with its clause, how often it occurred, and the smallest example', () => {
    const result = recordedResult(true);
    const text = textOf(comparisonHtml(result, RECORDED));
    expect(result.groups.length).toBeGreaterThan(8);
    for (const { operation, pointer, detail, times, clause, example } of result.groups) {
      expect(text).toContain(`${pointer} ${detail} ${times} time`.trim());
      expect(text).toContain(` ${clause} `);
      expect(text).toContain(operation);
      expect(text).toContain(`The smallest example: ${example.request} `);
    }
    expect(text).not.toMatch(/Open points|--allow-writes/);
    expect(text).toContain(' recorded in <i>session</i>.har ');
  });

  test('says so where nothing deviates', () => {
    const page = comparisonHtml(
      { checks: [], points: [], groups: [], judged: new Map([['GET /v1/sites', 3]]) },
      RECORDED,
    );
    expect(page).toContain('<span class="verdict passed">nothing differs</span>');
    expect(textOf(page)).toContain('3 exchanges and deliveries were judged, and all of them fit the contract.');
  });
});

describe.each([
  ['a service', comparisonHtml(serviceResult(), ABOUT)],
  ['recorded traffic', comparisonHtml(recordedResult(true), RECORDED)],
  ['traffic that is not redacted', comparisonHtml(recordedResult(false), { ...RECORDED, isRedacted: false })],
])('the page of %s', (name, page) => {
  test('has what a service says as text only', () => {
    const tags = [...page.replace(/<style>.*?<\/style>/s, '').matchAll(/<([a-z0-9]+)/g)].map(([, tag]) => tag);
    for (const tag of ['script', 'img', 'svg', 'i', 'link', 'iframe', 'form']) expect(tags).not.toContain(tag);
    expect(page).not.toMatch(/ on\w+=[^<]*>/);
    expect(page).not.toMatch(/(?:src|href)="(?!#)/);
    expect(page).not.toContain('://');
  });

  test('has a policy that allows no request', () => {
    expect(page).toMatch(/<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/);
  });

  test('has no token and no secret, and names only with --redact off', () => {
    for (const secret of [...SECRETS, 'k-7781']) expect(page).not.toContain(secret);
    const isOpen = name.includes('not redacted');
    expect(page.includes('Ana Torres')).toBe(isOpen);
    expect(page.includes('not redacted</span>')).toBe(isOpen);
    if (!isOpen) for (const one of NAMES) expect(textOf(page)).not.toContain(one);
  });
});
