/** The README's picture is self-contained, and its cells are those of the frame. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DOMParser } from '@xmldom/xmldom';
import { describe, expect, test } from 'vitest';
import { svgOf } from '../../bench/picture-svg.ts';
import { theme } from '../../src/dashboard/terminal/theme.ts';
import { glassOf } from './drawn.ts';
import { Glass } from './glass.ts';
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
  test('writes each word where its cells are, as wide as they are', async () => {
    const glass = new Glass(40, 3);
    await glass.write('\r\n     \x1b[1;91mW-014 <&> safe\x1b[0m');
    const [text] = [...parsed(svgOf(glass, 'a "test"')).getElementsByTagName('text')];
    expect(text?.textContent).toBe('W-014 <&> safe');
    expect([text?.getAttribute('textLength'), text?.getAttribute('font-weight')]).toEqual([String(14 * 8), '700']);
  });

  test('draws a dot for each dot of a braille cell', async () => {
    const glass = new Glass(2, 1);
    await glass.write('\x1b[36m⣿⠁');
    expect(svgOf(glass, '').match(/h0(?=[M"])/g)).toHaveLength(9);
  });

  test('is the same for the same frame', async () => {
    const shown = {
      world: worldOf(MUSTERING),
      view: viewer({ theme: 'dark' }),
      connection: { is: 'open' },
      at: 0,
    } as const;
    const draw = async (): Promise<string> => svgOf(await glassOf(shown, { columns: 120, rows: 40 }, dark), 'harbour');
    expect(await draw()).toBe(await draw());
  });
});
