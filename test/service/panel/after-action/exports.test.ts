/** The tables, read by a CSV parser. */
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { csv } from '../../../../src/base/text/csv.ts';
import { courseCsv, peopleCsv, timelineCsv } from '../../../../src/service/panel/after-action/exports.ts';
import { BY } from '../../domain/musters/muster-world.ts';
import { reportOf, scenario } from './scenario.ts';

/** Strict: CRLF, quotes where the RFC wants them, every line as long as the header. */
const read = (text: string): string[][] => parse(text, { bom: true, record_delimiter: '\r\n' });

const rows = (text: string): Record<string, string>[] =>
  parse(text, { bom: true, record_delimiter: '\r\n', columns: true });

const report = reportOf(scenario());

describe('a table', () => {
  test('begins with the mark of UTF-8 and ends every line with CRLF', () => {
    const text = peopleCsv(report);
    expect([...Buffer.from(text).subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(text.endsWith('\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  test.each([
    ['a comma', 'Ruiz, Ana'],
    ['quotes', 'Ana "la jefa" Ruiz'],
    ['line breaks', 'one\ntwo\r\nthree\rfour'],
    ['other scripts', 'Óscar Ñandú 王 🦺'],
    ['nothing', ''],
    ['spaces at its ends', ' Ana '],
    ['a sign further in', 'E-1=2'],
  ])('gives back a text with %s as it was', (_words, text) => {
    expect(read(csv(['a', 'b'], [[text, 'x']]))).toEqual([
      ['a', 'b'],
      [text, 'x'],
    ]);
  });

  test.each([
    '=1+1',
    '+34 600',
    '-2',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '＝1',
    '=HYPERLINK("http://x","y")',
  ])('makes %j a text, and no formula', (text) => {
    expect(read(csv(['a'], [[text]]))[1]).toEqual([`'${text}`]);
  });

  test('leaves numbers numbers, also below zero; what is not known is empty', () => {
    expect(csv(['a', 'b', 'c', 'd'], [[-30.5, 0, true, null]])).toBe('\uFEFFa,b,c,d\r\n-30.5,0,true,\r\n');
  });
});

describe('the people', () => {
  test('have a header that programs may rely on', () => {
    expect(read(peopleCsv(report))[0]?.join(' ')).toBe(
      'code name contractor status since_at since_s first_safe_at first_safe_s safe_by point point_valid help_reason ' +
        'needs_rescue declared_point declared_at declared_s declared_contradicted marked_point marked_at marked_s marked_by ' +
        'last_seen_at last_seen_s worker_id muster_id as_of',
    );
  });

  test('have a line each, with every time as ISO and as seconds since the start', () => {
    const people = rows(peopleCsv(report));
    expect(people.map(({ name }) => name)).toEqual(['Ana Ruiz', 'Eva Mar', 'Luis Paz', 'Nia Sol', 'Óscar Gil']);
    expect(people[1]).toMatchObject({
      code: 'E-3',
      contractor: '',
      status: 'safe',
      since_at: '2026-10-05T06:01:35.000Z',
      since_s: '65',
      first_safe_s: '65',
      safe_by: 'marked',
      point: 'Hill North',
      point_valid: 'true',
      needs_rescue: 'false',
      marked_point: 'Hill North',
      marked_s: '62',
      marked_by: BY,
      declared_at: '',
      declared_contradicted: '',
      as_of: '2026-10-05T06:01:45.000Z',
    });
    expect(people[2]).toMatchObject({ declared_point: 'Gate A', declared_s: '12', declared_contradicted: 'false' });
    expect(people[4]).toMatchObject({ last_seen_s: '46' });
  });

  test('can be called what they want: a name is no formula', () => {
    const small = scenario(33);
    const worker = small.world.need('worker', small.workerId(1));
    small.world.put('worker', { ...worker, name: '=cmd|"/c calc"!A1' });
    expect(rows(peopleCsv(reportOf(small))).map(({ name }) => name)).toContain(`'=cmd|"/c calc"!A1`);
  });

  test('of whom nothing is kept are a header alone', () => {
    expect(read(peopleCsv({ ...report, people: null }))).toHaveLength(1);
  });
});

describe('the timeline', () => {
  test('has what the control room did and what became of the alerts, in the order of time', () => {
    const lines = rows(timelineCsv(report)).map(({ s, source, what, by, reason, note }) => [
      ...[s, source, what, by, reason, note],
    ]);
    expect(lines).toEqual([
      ['-30', 'alert', 'SOS: Luis Paz in Dock: SOS by the screen button', 'Luis Paz', '', ''],
      ['0', 'control_room', 'Started: general', BY, 'Drill', ''],
      ['20', 'alert', 'Cannot evacuate: Eva Mar in Dock: Cannot evacuate: trapped', 'Eva Mar', '', ''],
      ['20', 'alert', 'SOS: Eva Mar in Dock: SOS by the screen button', 'Eva Mar', '', ''],
      ['26', 'control_room', 'Excluded Gate A', BY, 'Smoke', ''],
      ['32', 'alert', 'SOS: Eva Mar in Dock: Acknowledged', 'Desk 2', '', ''],
      ['40', 'control_room', 'Reinstated Gate A', BY, '', ''],
      ['62', 'control_room', 'Marked Eva Mar safe at Hill North', BY, '', ''],
      ['71', 'alert', 'SOS: Eva Mar in Dock: Resolved', 'Desk 2', 'Freed', 'Walked out'],
      ['75', 'control_room', 'Ended: completed', BY, '', ''],
    ]);
  });
});

describe('the course', () => {
  test('has a line for each count that changed something, and a column for each point', () => {
    const [header, ...lines] = read(courseCsv(report));
    expect(header).toEqual([
      ...['at', 's', 'kind', 'expected', 'safe', 'help', 'wrong_point', 'pending', 'no_signal', 'not_worn'],
      ...['safe_at Gate A', 'safe_at Hill North'],
    ]);
    expect(lines.map((line) => line.slice(1))).toEqual([
      ['0', 'general', '4', '0', '0', '0', '4', '0', '0', '0', '0'],
      ['10', 'general', '4', '1', '0', '0', '3', '0', '0', '1', '0'],
      ['15', 'general', '4', '2', '0', '0', '2', '0', '0', '2', '0'],
      ['25', 'general', '4', '2', '1', '0', '1', '0', '0', '2', '0'],
      ['30', 'general', '4', '0', '1', '2', '1', '0', '0', '0', '0'],
      ['45', 'general', '4', '2', '1', '0', '1', '0', '0', '2', '0'],
      ['50', 'general', '5', '2', '1', '0', '2', '0', '0', '2', '0'],
      ['60', 'general', '5', '3', '1', '0', '1', '0', '0', '2', '1'],
      ['65', 'general', '5', '4', '0', '0', '1', '0', '0', '2', '2'],
      ['70', 'general', '5', '5', '0', '0', '0', '0', '0', '2', '3'],
      ['75', 'general', '5', '5', '0', '0', '0', '0', '0', '2', '3'],
    ]);
  });

  test('leaves a point empty while it is no target', () => {
    const small = scenario(33);
    small.begin('tsunami');
    const lines = rows(courseCsv(reportOf(small)));
    expect(lines.map((line) => [line.kind, line['safe_at Gate A'], line['safe_at Tower']])).toContainEqual([
      ...['tsunami', '', '0'],
    ]);
    expect(lines[0]).toMatchObject({ kind: 'general', 'safe_at Gate A': '0', 'safe_at Tower': '' });
  });
});
