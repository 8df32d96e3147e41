/** The public set of control rooms, on which the search is measured: complete, and valid. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { controlRoom, FAMILIES, SYSTEMS } from '../../bench/control-rooms/set.ts';
import { runHere } from './here.ts';

const ROOMS = SYSTEMS.map(controlRoom);
const SET = join(import.meta.dirname, '../../bench/control-rooms');

describe.each(ROOMS)('the control room $name', ({ name, folder, source, rules, switches }) => {
  const text = readFileSync(join(folder, source), 'utf8');

  test('has twelve switches, and no others in its source', () => {
    const planted = new Set([...text.matchAll(/bug\(["']([a-z-]+)["']\)/g)].map(([, name]) => name));
    expect([...planted].sort()).toEqual(switches.map(({ name }) => name).sort());
    expect(switches).toHaveLength(12);
  });

  test('has switches of families of the list', () => {
    for (const { family } of switches) expect(FAMILIES).toContain(family);
  });

  test('has a scenario for each switch, and no others', () => {
    expect(switches.map(({ story }) => story).sort()).toEqual(
      readdirSync(join(folder, 'stories'))
        .map((name) => `stories/${name}`)
        .sort(),
    );
  });

  test('has valid rules, stories and trials', async () => {
    const { code, stderr, stdout } = await runHere(['validate', join(name, rules), join(name, 'stories'), 'trials'], {
      cwd: SET,
    });
    expect(code, `${stdout}${stderr}`).toBe(0);
  });
});

test('The three control rooms together have switches of every family', () => {
  const families = new Set(ROOMS.flatMap(({ switches }) => switches.map(({ family }) => family)));
  expect([...families].sort()).toEqual([...FAMILIES].sort());
});

test('The README of the control rooms describes each switch', () => {
  const readme = readFileSync(join(SET, 'README.md'), 'utf8');
  for (const { name: room, switches } of ROOMS)
    for (const one of switches) expect(readme).toContain(`| \`${room}/${one.name}\` | ${one.family} | ${one.does} |`);
});
