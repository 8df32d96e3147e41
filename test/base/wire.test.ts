/** A connection within the process, held against what a socket over loopback does. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { wire } from '../../src/base/network/wire.ts';

type Ends = readonly [Duplex, Duplex];

async function sockets(): Promise<Ends> {
  const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const arrived = once(server, 'connection');
  const one = connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, noDelay: true });
  const [other] = (await arrived) as [Socket];
  return [one, other];
}

const closed = (end: Duplex): Promise<void> => new Promise((resolve) => void end.once('close', () => resolve()));

/** All that comes until the end. */
async function readAll(end: Duplex): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of end) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe.each<[string, () => Ends | Promise<Ends>]>([
  ['a wire', wire],
  ['a socket', sockets],
])('%s', (_name, make) => {
  it('carries what either end writes, in its order, and the end after it', async () => {
    const [one, other] = await make();
    const received = [readAll(other), readAll(one)];
    for (let n = 0; n < 200; n++) one.write(`${n} `);
    other.end('and back');
    one.end('over');
    expect(await received[0]).toBe(`${Array.from({ length: 200 }, (_, n) => `${n} `).join('')}over`);
    expect(await received[1]).toBe('and back');
  });

  it('carries what was written together in one piece', async () => {
    const [one, other] = await make();
    const first = once(other, 'data');
    one.cork();
    for (const piece of ['a', 'b', 'c']) one.write(piece);
    one.uncork();
    expect(String((await first)[0])).toBe('abc');
    one.destroy();
  });

  it('does not run the other end’s code within a write', async () => {
    const [one, other] = await make();
    const order: string[] = [];
    const received = new Promise<void>((resolve) => {
      other.on('data', () => {
        order.push('heard');
        resolve();
      });
    });
    one.write('x');
    order.push('written');
    await received;
    expect(order).toEqual(['written', 'heard']);
    one.destroy();
  });

  it('a wire that is destroyed at one end closes at the other, without an error', async () => {
    const [one, other] = await make();
    const errors: Error[] = [];
    other.on('error', (error) => errors.push(error));
    other.resume();
    const both = [closed(one), closed(other)];
    one.destroy();
    await Promise.all(both);
    expect(errors).toEqual([]);
  });

  it('a wire that one end ends closes at both', async () => {
    const [one, other] = await make();
    other.resume();
    one.resume();
    const both = [closed(one), closed(other)];
    one.end();
    await Promise.all(both);
  });

  it('makes the writer wait while nobody reads, and loses nothing', async () => {
    const [one, other] = await make();
    // More than the buffers of any kernel.
    const [piece, pieces] = [Buffer.alloc(64 * 1024, 'x'), 512];
    let done = 0;
    for (let n = 0; n < pieces; n++)
      one.write(piece, () => {
        done++;
      });
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toBeLessThan(pieces);
    const drained = once(one, 'drain');
    const received = readAll(other);
    await drained;
    one.end();
    expect((await received).length).toBe(pieces * piece.length);
    expect(done).toBe(pieces);
  });
});

it('an end of a wire that is destroyed frees the writer that waited for it', async () => {
  const [one, other] = wire();
  one.write(Buffer.alloc(1_000_000));
  const free = new Promise<void>((resolve) => one.write('the rest', () => resolve()));
  one.on('error', () => {});
  const gone = closed(one);
  one.resume();
  other.destroy();
  await Promise.all([free, gone]);
});

it('a wire holds back at most what a socket’s buffers do for an end that does not read', async () => {
  const [one, other] = wire();
  let done = 0;
  for (let n = 0; n < 100; n++)
    one.write(Buffer.alloc(16 * 1024), () => {
      done++;
    });
  await new Promise((resolve) => setImmediate(resolve));
  expect(done).toBeGreaterThan(0);
  expect(done * 16).toBeLessThan(200);
  other.destroy();
});
