/** The report as a document: content, order, and escaping. */
import { createHash } from 'node:crypto';
import { DOMParser } from '@xmldom/xmldom';
import { describe, expect, test } from 'vitest';
import { html } from '../../../../src/base/text/html.ts';
import { REPORT_POLICY, reportPage } from '../../../../src/service/panel/after-action/page.ts';
import type { AfterAction } from '../../../../src/service/panel/after-action/record.ts';
import { percent, span, spanInWords } from '../../../../src/service/panel/after-action/words.ts';
import { MusterWorld } from '../../domain/musters/muster-world.ts';
import { reportOf, scenario } from './scenario.ts';

const textOf = (page: string): string =>
  page
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

const svgOf = (page: string) => {
  const [svg = ''] = /<svg.*<\/svg>/s.exec(page) ?? [];
  const errors: string[] = [];
  const picture = new DOMParser({ onError: (_level, message) => errors.push(message) }).parseFromString(
    svg,
    'text/xml',
  );
  expect(errors).toEqual([]);
  const all = (name: string) =>
    [...picture.getElementsByTagName('path')].filter((one) => one.getAttribute('class') === name);
  return { picture, paths: (name: string) => all(name).map((one) => one.getAttribute('d') ?? '') };
};

const SIGN = 'Sandbox: a simulation. No real watch, no real person.';

describe('the report of a muster that ended', () => {
  const report = reportOf(scenario());
  const page = reportPage(report);
  const text = textOf(page);

  test('has numbers as all other screens have them', () => {
    const many = textOf(reportPage({ ...report, totals: { ...report.totals, expected: 1_089 } }));
    expect(many).toContain('of 1089');
    expect(many).not.toMatch(/\d,\d/);
  });

  test('says on its face what it is, how it ended and when', () => {
    expect(page.startsWith('<!doctype html>')).toBe(true);
    expect(text).toContain(SIGN);
    expect(text).toContain('After-action report: general muster at Harbour plant');
    expect(text).toContain('Completed on 2026-10-05 06:01:45 UTC');
    expect(text).not.toContain('under way');
    expect(text).toContain('5 of 5 100 %');
    expect(text).toContain('Missed: 3 of 5 safe then');
    expect(text).toContain('after 1 min 15 s');
  });

  test('says how fast it went, and what was lost again', () => {
    expect(text).toContain('50 % 0:15 06:00:45 again, to the end, from 1:00');
    expect(text).toContain('100 % 1:10 06:01:40');
    expect(text).toContain('Wrong point 2 0:30 06:01:00');
  });

  test('says who excluded which point, and why; who decided what; how long alerts waited', () => {
    expect(text).toContain(
      'Gate A general 2 2 0:45 06:01:15 at 0:26 06:00:56 by Shift lead: Smoke; reinstated at 0:40',
    );
    expect(text).toContain('4 1:02 06:01:32 Marked Eva Mar safe at Hill North Shift lead');
    expect(text).toContain('after 12 s by Desk 2 after 51 s by Desk 2 Freed; Walked out');
    expect(text).toContain('Norte SL 2 2 100 % 0:43');
  });

  test('has its parts in the order in which they are asked for', () => {
    const heads = [...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, head]) => head);
    expect(heads).toEqual([
      ...['Not safe at the end', 'Assembly points', 'Contractors', 'Decisions of the control room', 'Alerts'],
      'Everybody (5)',
    ]);
    expect(text).toContain('Nobody: all expected workers are safe.');
  });

  test('loads nothing and runs nothing', () => {
    expect(page).not.toMatch(/<script|<link|<img|<iframe|src=|url\(|@import| on[a-z]+=/i);
  });

  test('is let in by its own policy, which lets in nothing else', () => {
    const [, css = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
    const hash = createHash('sha256').update(css).digest('base64');
    expect(REPORT_POLICY).toContain(`style-src 'sha256-${hash}';`);
    expect(REPORT_POLICY).toContain("default-src 'none'");
    // A style attribute would be refused.
    expect(page).not.toMatch(/ style=/);
  });

  test('leads back to the muster and to its tables', () => {
    const { musterId } = report;
    expect([...page.matchAll(/href="([^"]*)"/g)].map(([, to]) => to)).toEqual([
      `/panel/musters/${musterId}`,
      `/panel/musters/${musterId}/report.csv`,
      `/panel/musters/${musterId}/report.csv?part=timeline`,
      `/panel/musters/${musterId}/report.csv?part=course`,
    ]);
  });

  test('repeats the head of every table on paper', () => {
    const tables = page.split('<table>').slice(1);
    expect(tables.length).toBeGreaterThan(5);
    for (const one of tables) expect(one).toMatch(/^(<caption>[^<]*<\/caption>)?<thead>/);
  });
});

describe('the curve', () => {
  test('has the deadline and each act of the control room where they belong', () => {
    const { paths } = svgOf(reportPage(reportOf(scenario())));
    // 75 s are 896 wide, from 48 on: a minute ends at 764.8.
    expect(paths('deadline')).toEqual(['M764.8,36V300']);
    expect(paths('act').map((path) => Number(/^M([\d.]+)/.exec(path)?.[1]))).toEqual([48, 358.6, 525.9, 788.7, 944]);
  });

  test('is of steps: a count holds until the next one', () => {
    const { paths } = svgOf(reportPage(reportOf(scenario(20))));
    // 20 s are 896 wide and four people 260 high; one safe at 10 s, two at 15 s. The deadline is further than twice of it.
    expect(paths('deadline')).toEqual([]);
    expect(paths('edge')).toEqual(['M48,300L496,300L496,235L720,235L720,170L944,170']);
    expect(paths('expected')).toEqual(['M48,40L944,40']);
  });

  test('stacks the statuses up to everybody', () => {
    const { paths } = svgOf(reportPage(reportOf(scenario(33))));
    // 33 s of the 60 up to the deadline end at 540.8. At 30 s: one on the way, two at a wrong point, one in need of help, from the bottom.
    const heights = (name: string) =>
      new Set([...(paths(name)[0] ?? '').matchAll(/540\.8,([\d.]+)/g)].map(([, y]) => y));
    expect(heights('pending')).toEqual(new Set(['235', '300']));
    expect(heights('wrong_point')).toEqual(new Set(['105', '235']));
    expect(heights('help')).toEqual(new Set(['40', '105']));
  });

  test('stays small however many counts there were', () => {
    const report = reportOf(scenario());
    const [first] = report.course;
    const many = Array.from({ length: 2_000 }, (_, place) => ({
      ...(first as NonNullable<typeof first>),
      at: report.startedAt + place * 37,
      totals: { ...report.totals, safe: place % 6, pending: 5 - (place % 6) },
    }));
    const { picture } = svgOf(reportPage({ ...report, course: many }));
    expect(String(picture).length).toBeLessThan(150_000);
  });
});

describe('the report of a muster under way', () => {
  const page = reportPage(reportOf(scenario(33)));
  const text = textOf(page);

  test('says so, and as of when', () => {
    expect(text).toContain('Still under way evacuating, as of 2026-10-05 06:01:03 UTC.');
    expect(text).toContain('Still ahead');
  });

  test('has those who are not safe before everybody, those to rescue first, by code', () => {
    const part = text.slice(text.indexOf('Not safe at the last count (4)'), text.indexOf('Everybody (4)'));
    const order = ['Luis Paz', 'Eva Mar', 'Ana Ruiz', 'Óscar Gil'].map((name) => part.indexOf(name));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
    expect(part).toContain('Eva Mar E-3 ▲ Trapped Dock at 06:00 06:00:00 To rescue.');
  });

  test('gives each person and each alert the glyph, the word and the colour that every screen has', () => {
    const signs = [...page.matchAll(/<span class="mark([\w -]*)"><i aria-hidden="true">(.)<\/i>([^<]*)/g)];
    const known = signs.map(([, classes = '', glyph, word]) => `${classes.split(' ').at(-1)} ${glyph} ${word}`);
    for (const one of [
      'rescue ▲ Trapped',
      'rescue ▲ To rescue: trapped',
      'pending ▹ Not arrived',
      'critical ■ critical',
    ])
      expect(known).toContain(one);
    expect(text).toContain('● Safe ▹ Not arrived');
    expect(page).not.toContain('Needs rescue');
  });

  test('has what is urgent now, on a screen only', () => {
    const strip = html`<p class="urgent">LATE</p>`;
    expect(reportPage(reportOf(scenario(33)), strip)).toContain('<div class="screen strip"><p class="urgent">LATE</p>');
    expect(page).not.toContain('class="screen strip"');
  });

  test('says that of who was at a wrong point', () => {
    const part = text.slice(text.indexOf('Not safe at the last count (4)'), text.indexOf('Everybody (4)'));
    expect(part).toContain('Gate A (does not serve, or excluded), said to be at Gate A');
  });
});

describe('what people wrote', () => {
  test('stays text', () => {
    const small = new MusterWorld();
    const worker = small.world.need('worker', small.workerId(1));
    small.world.put('worker', { ...worker, name: '<script>alert(1)</script>', contractor: '"><img src=x>' });
    small.start({ reason: `</style><svg onload="x">'&`, by: '<b>Lead</b>' });
    small.sos(1);
    small.exclude('Gate A', '<i>smoke</i>');
    small.wait(5);
    const page = reportPage(reportOf(small));
    expect(page).not.toMatch(/<script|<img|<svg onload|<b>Lead|<i>smoke/);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('&lt;/style&gt;&lt;svg onload=&quot;x&quot;&gt;&#39;&amp;');
    svgOf(page);
  });
});

describe('a report of which little is known', () => {
  const bare: AfterAction = {
    ...reportOf(scenario()),
    people: null,
    course: [],
    shares: null,
    peaks: [],
    contractors: [],
  };

  test('the page says what is missing and why', () => {
    const text = textOf(reportPage(bare));
    expect(text).toContain('No curve: the records of later musters');
    expect(text).toContain('Nothing is kept of its people');
    expect(text).not.toContain('Everybody');
  });

  test('nobody expected is no curve', () => {
    const small = new MusterWorld();
    small.now += 13 * 3_600_000;
    small.start();
    small.end('cancelled');
    const text = textOf(reportPage(reportOf(small)));
    expect(text).toContain('Cancelled on');
    expect(text).toContain('The muster expected nobody, so there is no curve.');
    expect(text).toContain('Nobody was expected.');
  });
});

describe('figures in words', () => {
  test.each([
    [0, '0:00', '0 s'],
    [5_000, '0:05', '5 s'],
    [65_499, '1:05', '1 min 5 s'],
    [3_599_600, '1:00:00', '1 h'],
    [3_900_000, '1:05:00', '1 h 5 min'],
    [120_000, '2:00', '2 min'],
  ])('%i ms are %s and %s', (ms, short, words) => {
    expect([span(ms), spanInWords(ms)]).toEqual([short, words]);
  });

  test('before the start is less than nothing', () => expect([span(-30_000), span(-200)]).toEqual(['-0:30', '0:00']));

  test('all but one is never 100 %', () =>
    expect([percent(9_999, 10_000), percent(10_000, 10_000), percent(0, 0)]).toEqual(['99 %', '100 %', '-']));
});
