/** Ids and secrets: what follows from the parts follows always, and what must not be guessed differs each time. */
import { describe, expect, test } from 'vitest';
import { assert, Bug, Outage, unreachable } from '../../src/base/assert.ts';
import { hmacSecret, idFrom, randomId, randomSecret, sameSecret, sha256Hex } from '../../src/base/ids.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('ids', () => {
  test('equal parts make an equal id, other parts another, all of version 4 by their bits', () => {
    const ids = Array.from({ length: 500 }, (_, n) => idFrom('seed', 'alert', 'ana', n));
    expect(new Set(ids).size).toBe(500);
    for (const id of ids) expect(UUID.exec(id)?.[1]).toBe('4');
    expect(idFrom('seed', 'alert', 'ana', 7)).toBe(ids[7]);
    expect(idFrom(1, 'a')).toBe(idFrom('1', 'a'));
  });

  test('the id of given parts never changes between versions', () => {
    expect(idFrom('1', 'alert', 'ana', 1)).toMatchInlineSnapshot(`"284583ea-b6d5-4d1f-a4bf-307245b3a9d7"`);
    expect(hmacSecret('root', 'client', 'acme')).toMatchInlineSnapshot(`"nP5zpBC06QtBN4PE2N7vFiysGUdA6Rbh7vuiG6Xz4N9"`);
  });

  test('random ids and secrets differ each time', () => {
    expect(UUID.test(randomId())).toBe(true);
    expect(randomId()).not.toBe(randomId());
    for (const [bytes, characters] of [
      [1, 2],
      [16, 22],
      [32, 43],
    ] as const) {
      expect(randomSecret(bytes)).toMatch(new RegExp(`^[A-Za-z0-9]{${characters}}$`));
    }
    expect(randomSecret(32)).not.toBe(randomSecret(32));
  });

  test('a derived secret follows from key and parts alone', () => {
    const secret = hmacSecret('root', 'client', 'acme');
    expect(secret).toMatch(/^[A-Za-z0-9]{43}$/);
    expect(hmacSecret(Buffer.from('root'), 'client', 'acme')).toBe(secret);
    expect(hmacSecret('other', 'client', 'acme')).not.toBe(secret);
    expect(hmacSecret('root', 'client', 'beta')).not.toBe(secret);
  });

  test('secrets are compared whole, whatever their lengths', () => {
    expect(sameSecret('abc', 'abc')).toBe(true);
    expect(sameSecret('abc', 'abd')).toBe(false);
    expect(sameSecret('abc', 'abcd')).toBe(false);
    expect(sameSecret('', '')).toBe(true);
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('trouble', () => {
  test('a failed assertion is a bug, and builds its message only then', () => {
    let built = 0;
    const message = () => `built ${++built}`;
    assert(true, message);
    expect(() => assert(0, message)).toThrow(new Bug('built 1'));
    expect(() => assert(false, 'plain')).toThrow('plain');
    expect(built).toBe(1);
    expect(() => unreachable('smuggled' as never)).toThrow('"smuggled"');
  });

  test('an outage says what to do, and how the command ends', () => {
    const cause = new Error('EADDRINUSE');
    const outage = new Outage({ code: 'port_taken', message: 'Port 8080 is taken.', fix: 'Give --port.', cause });
    expect(outage).toMatchObject({ name: 'Outage', code: 'port_taken', fix: 'Give --port.', exitCode: 3, cause });
    expect(new Outage({ code: 'a', message: 'b', fix: 'c', exitCode: 2 }).exitCode).toBe(2);
  });
});
