/** The README's picture: it stands on its own wherever it is shown, and its cells are those of the frame. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { describe, expect, test } from 'vitest';
import { svgOf } from '../../bench/picture-svg.ts';
import { frame } from '../../src/dashboard/frame.ts';
import { Paper } from '../../src/dashboard/paper.ts';
import { theme } from '../../src/dashboard/theme.ts';
import { MUSTERING, viewer, worldOf } from './harbour.ts';

const dark = theme('dark');
const parsed = (svg: string) =>
  new DOMParser({
    onError: (level, message) => {
      throw new Error(`${level}: ${message}`);
    },
  }).parseFromString(svg, 'image/svg+xml');

describe('the picture', () => {
  const svg = readFileSync(resolve(import.meta.dirname, '../../docs/dashboard.svg'), 'utf8');

  test('is whole, small, and asks nothing of anybody', () => {
    expect(parsed(svg).documentElement?.tagName).toBe('svg');
    expect(svg.length).toBeLessThan(120 * 1024);
    expect(svg).not.toMatch(/<script|<foreignObject|href=|url\(|@import|@font-face|\son\w+=/i);
  });

  test('shows a tsunami muster under way', () => {
    for (const word of ['SANDBOX', 'EVACUATING', 'tsunami', 'excluded', 'Webhooks']) expect(svg).toContain(word);
  });

  test('has no braille and no boxes as letters, since fonts lack them or tear them apart', () => {
    const letters = [...parsed(svg).getElementsByTagName('text')].map((text) => text.textContent).join('');
    expect(letters).not.toMatch(/[\u2500-\u259f\u2800-\u28ff]/);
  });
});

describe('a frame as SVG', () => {
  test('writes each word where its cells are, as wide as they are', () => {
    const paper = new Paper({ columns: 40, rows: 3 });
    paper.write(5, 1, 'W-014 <&> safe', 'help');
    const [text] = [...parsed(svgOf(paper, dark, 'a "test"')).getElementsByTagName('text')];
    expect(text?.textContent).toBe('W-014 <&> safe');
    expect([text?.getAttribute('textLength'), text?.getAttribute('font-weight')]).toEqual([String(14 * 8), '700']);
  });

  test('draws a dot for each dot of a braille cell', () => {
    const paper = new Paper({ columns: 2, rows: 1 });
    paper.set(0, 0, '⣿', 'person');
    paper.set(1, 0, '⠁', 'person');
    expect(svgOf(paper, dark, '').match(/h0(?=[M"])/g)).toHaveLength(9);
  });

  test('is the same for the same frame', () => {
    const draw = (): string =>
      svgOf(
        frame(
          { world: worldOf(MUSTERING), view: viewer({ theme: 'dark' }), connection: { is: 'open' }, at: 0 },
          { columns: 120, rows: 40 },
          dark,
        ),
        dark,
        'harbour',
      );
    expect(draw()).toBe(draw());
  });
});
