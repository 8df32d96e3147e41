/** Who may see what: contractor scoping, names, scopes of a token, and tickets of the stream. [spec 5, decisions 3, 4, 9, 10] */
import { describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/contract/enumerations.ts';
import { isTicket, newTicket } from '../../../src/service/domain/access/ticket.ts';
import {
  clientOf,
  mayRead,
  scopeOfEvent,
  seesAlert,
  seesAsMuch,
  seesContractor,
  seesWorker,
  type TokenViewer,
  tokenViewerOf,
  unscopedViewer,
  type Viewer,
  viewerOf,
} from '../../../src/service/domain/access/viewer.ts';
import { addQuarry, QUARRY } from '../api/second-company.ts';
import { ORG, SITE, SmallWorld, T0 } from './small-world.ts';

const viewer = (part: Partial<TokenViewer> = {}): TokenViewer => ({
  organizationId: ORG,
  names: true,
  contractors: null,
  scopes: ['alerts:read', 'musters:read'],
  ...part,
});

describe('a viewer', () => {
  test('is what the contract of its client says, and what the scopes of its token leave of it', () => {
    const small = new SmallWorld({ client: { includeWorkerNames: false, contractors: ['Norte SL'] } });
    const client = clientOf(small.world, ORG);
    const seen = { organizationId: ORG, names: false, contractors: ['Norte SL'] };
    expect(viewerOf(client)).toEqual(seen);
    // A scope that left the contract after the token was issued shows nothing.
    const narrowed = { ...client, scopes: ['alerts:read', 'workers:read'] as Scope[] };
    expect(tokenViewerOf(narrowed, ['musters:read', 'workers:read'])).toEqual({ ...seen, scopes: ['workers:read'] });
    expect(unscopedViewer(small.world, { id: ORG })).toEqual({ ...seen, contractors: null });
  });

  test('is found by its company', () => {
    const small = new SmallWorld();
    addQuarry(small);
    expect([ORG, QUARRY.organization].map((id) => clientOf(small.world, id).id)).toEqual(['harbour_co', QUARRY.client]);
    expect(() => clientOf(small.world, SITE)).toThrow(/has no client/);
  });

  test.each<[Viewer['contractors'], string | null, boolean]>([
    [null, null, true],
    [null, 'Norte SL', true],
    [['Norte SL'], 'Norte SL', true],
    [['Norte SL', 'Sur SL'], 'Sur SL', true],
    [['Norte SL'], 'Sur SL', false],
    [['Norte SL'], null, false],
    [[], 'Norte SL', false],
  ])('scoped to %j sees the workers of %s: %s', (contractors, contractor, seen) => {
    const scoped = viewer({ contractors });
    expect(seesContractor(scoped, contractor)).toBe(seen);
    expect(seesWorker(scoped, { organizationId: ORG, contractor })).toBe(seen);
    expect(seesAlert(scoped, { organizationId: ORG, worker: { contractor } })).toBe(seen);
  });

  test('sees nothing of another company, and site-wide alerts of its own whatever its scope', () => {
    const other = { organizationId: QUARRY.organization, contractor: null };
    expect([seesWorker(viewer(), other), seesWorker(null, other)]).toEqual([false, true]);
    expect(seesAlert(viewer(), { ...other, worker: null })).toBe(false);
    expect(seesAlert(viewer(), { ...other, worker: { contractor: null } })).toBe(false);
    expect(seesAlert(viewer({ contractors: ['Sur SL'] }), { organizationId: ORG, worker: null })).toBe(true);
  });

  test('may read what its token’s scopes name; the control token everything', () => {
    expect([mayRead(viewer(), 'alerts:read'), mayRead(viewer(), 'positions:read')]).toEqual([true, false]);
    expect(mayRead(null, 'positions:read')).toBe(true);
  });

  test.each([
    ['alert.created', 'alerts:read'],
    ['alert.*', 'alerts:read'],
    ['muster.updated', 'musters:read'],
    ['muster.*', 'musters:read'],
  ] as const)('reads %s by %s', (type, scope) => {
    expect(scopeOfEvent(type)).toBe(scope);
  });

  test.each<[string, TokenViewer | null, TokenViewer | null, boolean]>([
    ['the control token sees as much as itself', null, null, true],
    ['the control token sees as much as a client', null, viewer(), true],
    ['a client sees less than the control token', viewer(), null, false],
    ['a client sees as much as itself', viewer(), viewer(), true],
    ['another company sees other things', viewer(), viewer({ organizationId: QUARRY.organization }), false],
    ['without names one sees less than with', viewer({ names: false }), viewer(), false],
    ['with names one sees as much as without', viewer(), viewer({ names: false }), true],
    ['neither has names', viewer({ names: false }), viewer({ names: false }), true],
    ['a scoped client sees less than an unscoped one', viewer({ contractors: ['A'] }), viewer(), false],
    ['an unscoped client sees as much as a scoped one', viewer(), viewer({ contractors: ['A'] }), true],
    ['scoped to more', viewer({ contractors: ['A', 'B'] }), viewer({ contractors: ['B'] }), true],
    ['scoped to others in part', viewer({ contractors: ['A', 'B'] }), viewer({ contractors: ['B', 'C'] }), false],
    ['with fewer scopes', viewer({ scopes: ['alerts:read'] }), viewer(), false],
    ['with other scopes in part', viewer({ scopes: ['alerts:read', 'workers:read'] }), viewer(), false],
    ['with more scopes', viewer(), viewer({ scopes: ['musters:read'] }), true],
  ])('%s', (_words, reader, other, asMuch) => {
    expect(seesAsMuch(reader, other)).toBe(asMuch);
  });
});

describe('a ticket of the stream', () => {
  const HOURS_12 = 12 * 3_600_000;
  const ticket = newTicket('control', T0 + 0.4);
  const [until = '', signature = ''] = ticket.split('_');

  test.each([
    ['is good at once', 'control', ticket, T0, true],
    ['is good up to twelve hours', 'control', ticket, T0 + HOURS_12 - 1, true],
    ['has ended after twelve hours', 'control', ticket, T0 + HOURS_12, false],
    ['of another sandbox is none', 'other', ticket, T0, false],
    ['with a later end is none', 'control', `${(T0 + 2 * HOURS_12).toString(36)}_${signature}`, T0, false],
    ['with its end written otherwise is none', 'control', `${until.toUpperCase()}_${signature}`, T0, false],
    ['with a word behind its end is none', 'control', `${until}!_${signature}`, T0, false],
    ['without a signature is none', 'control', until, T0, false],
    ['with another signature is none', 'control', `${until}_${signature.slice(1)}`, T0, false],
    ['without an end is none', 'control', `_${signature}`, T0, false],
    ['without a character is none', 'control', '', T0, false],
  ])('%s', (_words, controlToken, given, now, good) => {
    expect(isTicket(controlToken, given, now)).toBe(good);
  });

  test('beyond what a clock can say is none, though it is signed', () => {
    const far = newTicket('control', 1e17);
    expect(isTicket('control', far, T0)).toBe(false);
  });
});
