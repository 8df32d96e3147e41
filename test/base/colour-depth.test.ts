/** A terminal gets only the colours that it says it has. */
import { describe, expect, test } from 'vitest';
import { terminalDepth, terminalGround, wantedDepth } from '../../src/base/text/colour-depth.ts';

const XTERM = { TERM: 'xterm-256color' };

describe('a terminal', () => {
  test.each([
    ['all colours, if it says so', { ...XTERM, COLORTERM: 'truecolor' }, 24],
    ['all colours, in the older word', { TERM: 'xterm', COLORTERM: '24bit' }, 24],
    ['all colours, by a name that survives SSH', { TERM: 'xterm-kitty' }, 24],
    ['all colours, by a terminfo entry for them', { TERM: 'xterm-direct' }, 24],
    [
      'all colours in tmux, which converts them',
      { TERM: 'tmux-256color', TMUX: '/tmp/tmux', COLORTERM: 'truecolor' },
      24,
    ],
    ['256 in tmux without that', { TERM: 'tmux-256color', TMUX: '/tmp/tmux' }, 8],
    ['256 by its name', XTERM, 8],
    [
      '256 in GNU screen, which passes COLORTERM on from outside',
      { TERM: 'screen-256color', COLORTERM: 'truecolor' },
      8,
    ],
    ['16 in GNU screen with its old name', { TERM: 'screen', COLORTERM: 'truecolor' }, 4],
    [
      'all colours of tmux with the name of GNU screen',
      { TERM: 'screen', TMUX: '/tmp/tmux', COLORTERM: 'truecolor' },
      24,
    ],
    ['16, if it is the Linux console', { TERM: 'linux', COLORTERM: 'truecolor' }, 4],
    ['16 by a name without a number', { TERM: 'xterm' }, 4],
    ['16, if nothing is known', {}, 4],
    ['16 with an unknown word', { TERM: 'xterm', COLORTERM: 'yes' }, 4],
    ['all colours of Windows Terminal', { WT_SESSION: '1' }, 24],
  ])('has %s', (_what, env, depth) => {
    expect(terminalDepth(env)).toBe(depth);
    expect(wantedDepth(env, true)).toBe(depth);
  });

  test.each([
    ['15;0', 'dark'],
    ['0;15', 'light'],
    ['0;default;15', 'light'],
    ['0;7', 'light'],
    ['12;8', 'dark'],
    ['default;default', null],
    [undefined, null],
  ])('has the ground that it says: %s', (COLORFGBG, ground) => {
    expect(terminalGround({ COLORFGBG })).toBe(ground);
  });
});

describe('output', () => {
  const ALL = { ...XTERM, COLORTERM: 'truecolor' };

  test.each([
    ['in a pipe', ALL, false],
    ['with NO_COLOR', { ...ALL, NO_COLOR: '1' }, true],
    ['on a dumb terminal', { TERM: 'dumb', COLORTERM: 'truecolor' }, true],
    ['with FORCE_COLOR=0', { ...ALL, FORCE_COLOR: '0' }, true],
  ])('has no colours %s', (_what, env, isTerminal) => {
    expect(wantedDepth(env, isTerminal)).toBe(1);
  });

  test.each([
    ['1', 4],
    ['2', 8],
    ['3', 24],
    ['true', 8],
  ])('in a pipe has the colours of FORCE_COLOR=%s', (FORCE_COLOR, depth) => {
    expect(wantedDepth({ ...XTERM, FORCE_COLOR, NO_COLOR: '1' }, false)).toBe(depth);
  });
});
