/** The claim on a site at a real Mosquitto: one sandbox serves the site, whatever the others' clocks and seeds are, and a second one refuses to start. */
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { idFrom } from '../../../src/base/ids.ts';
import type { Notice } from '../../../src/contract/notices.ts';
import { hostClaimTopic } from '../../../src/contract/watch.ts';
import type { ClaimOwner } from '../../../src/service/broker/external/claims.ts';
import { CuttableProxy } from '../../faults/cuttable.ts';
import {
  type BrokerKind,
  type BrokerSite,
  EXTERNAL,
  mosquittoOf,
  serve,
  withoutExternal,
} from '../../helpers/any-broker.ts';
import { afterTest } from '../../helpers/broker-bench.ts';
import { RawWatch } from '../../helpers/raw-watch.ts';
import { unless } from '../../helpers/unless.ts';
import { SITE, serialOf } from '../../helpers/watch-world.ts';

const TOPIC = hostClaimTopic(SITE);
/** As in production, but forty times as fast. */
const TIMES = { renewMs: 250, staleMs: 750, settleMs: 200, contestedMs: 400 };
/** Renewals that a paused test process would miss do not come into these. */
const SLOW = { renewMs: 10_000, staleMs: 30_000, settleMs: 200, contestedMs: 400 };

const owner = (sandbox: string, more: Partial<ClaimOwner> = {}): ClaimOwner => ({
  sandbox,
  isNode: false,
  times: TIMES,
  ...more,
});

/** A sandbox at the broker, with what it says about claims. */
async function start(kind: BrokerKind, site: BrokerSite, claim: ClaimOwner) {
  const claims: string[] = [];
  const evicted: string[] = [];
  const serving = await serve(
    kind,
    {
      claim,
      onClaim: (sentence, is) => claims.push(`${is}: ${sentence}`),
      onEvicted: (siteId) => evicted.push(siteId),
    },
    site,
  );
  return { ...serving, claims, evicted };
}

const refusalOf = (starting: Promise<unknown>) =>
  starting.then(
    () => null,
    (error: { end: { refusal: string; why: string } }) => error.end,
  );

/** A client that is no sandbox, and sees and says what it likes on the topic. */
async function rivalAt({ port }: BrokerSite) {
  const client = new RawWatch(port, 'rival');
  afterTest(() => client.vanish());
  await client.connect();
  await client.subscribe(TOPIC);
  return {
    claim: (claim: object | string) => client.publish(TOPIC, claim, { retain: true }),
    remove: () => client.publish(TOPIC, Buffer.alloc(0), { retain: true }),
    next: async () => (await client.messageOn(TOPIC)) as Record<string, string>,
  };
}

const lost = (notice: Notice): boolean => notice.kind === 'broker-changed' && /has lost its claim/.test(notice.detail);
const YEARS_AGO = '2001-01-01T00:00:00.000Z';
const IN_YEARS = '2099-01-01T00:00:00.000Z';

unless(...withoutExternal).describe.each(EXTERNAL)('%s', (kind) => {
  it('lets no second sandbox serve a site, and names the one that does', async () => {
    const site = await mosquittoOf(kind);
    const first = await start(kind, site, owner('one'));
    const refusal = await refusalOf(start(kind, site, owner('two')));
    expect(refusal).toMatchObject({ refusal: 'claimed', why: expect.stringMatching(/serves the site .*sandbox one/) });
    expect(first.evicted).toEqual([]);
    const caller = await first.watch();
    await caller.sos(idFrom('still', 'heard'));
    await first.plant.seen(({ kind: what }) => what === 'uplink-heard');
  });

  it('of two sandboxes that start at once, lets one serve', async () => {
    const site = await mosquittoOf(kind);
    const both = await Promise.allSettled(['one', 'two'].map((name) => start(kind, site, owner(name))));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it.each([
    ['lower', YEARS_AGO, 'claimed'],
    ['higher', IN_YEARS, undefined],
  ])('against a claim that comes at once and is %s, ends or keeps the site before it is ready', async (_, since, is) => {
    const site = await mosquittoOf(kind);
    const rival = await rivalAt(site);
    const starting = refusalOf(start(kind, site, owner('one', { times: SLOW })));
    expect(await rival.next()).toMatchObject({ sandbox: 'one' });
    await rival.claim({ sandbox: 'rival', process: 'rival', since, at: since });
    expect((await starting)?.refusal).toBe(is);
  });

  it.each([YEARS_AGO, IN_YEARS])('takes over a claim that is not renewed, whatever its clock: %s', async (at) => {
    const site = await mosquittoOf(kind);
    await (await rivalAt(site)).claim({ sandbox: 'gone', process: 'gone', since: YEARS_AGO, at });
    const { claims, broker } = await start(kind, site, owner('one'));
    expect(claims).toEqual([expect.stringMatching(/^waiting: .*sandbox gone/), expect.stringMatching(/^taken-over: /)]);
    expect(broker.counts().connections).toBe(1);
  });

  it('takes what another program left on the topic for the claim of a sandbox', async () => {
    const site = await mosquittoOf(kind);
    await (await rivalAt(site)).claim('hello');
    const { claims } = await start(kind, site, owner('one'));
    expect(claims[0]).toMatch(/^waiting: .*sandbox unknown/);
  });

  it('removes its claim at a clean stop, so that the next sandbox waits for nothing', async () => {
    const site = await mosquittoOf(kind);
    const first = await start(kind, site, owner('one'));
    await first.broker.stop();
    const { claims } = await start(kind, site, owner('two', { times: SLOW }));
    expect(claims).toEqual([]);
  });

  it('takes its own claim at once after a crash', async () => {
    const site = await mosquittoOf(kind);
    const claim = { sandbox: 'one', process: 'killed', since: YEARS_AGO, at: IN_YEARS };
    await (await rivalAt(site)).claim(claim);
    const { claims } = await start(kind, site, owner('one', { times: SLOW }));
    expect(claims).toEqual([]);
  });

  it('refuses to start on a copy of a data folder that is in use', async () => {
    const site = await mosquittoOf(kind);
    const first = await start(kind, site, owner('one', { times: SLOW }));
    const refusal = await refusalOf(start(kind, site, owner('one', { times: SLOW })));
    expect(refusal).toMatchObject({ refusal: 'claimed', why: expect.stringMatching(/copy of this data folder/) });
    expect(first.evicted).toEqual([]);
  });

  it('is shared by the nodes of a database, and by no other sandbox', async () => {
    const site = await mosquittoOf(kind);
    const nodes = [await start(kind, site, owner('one', { isNode: true }))];
    nodes.push(await start(kind, site, owner('one', { isNode: true })));
    const refusal = await refusalOf(start(kind, site, owner('two')));
    expect(refusal).toMatchObject({ refusal: 'claimed', why: expect.stringMatching(/sandbox one/) });
    expect(nodes.flatMap(({ claims }) => claims)).toEqual([]);
    expect(nodes.flatMap(({ plant }) => plant.notices).some(lost)).toBe(false);
  });

  it('says a claim that was removed again, and renews it', async () => {
    const site = await mosquittoOf(kind);
    await start(kind, site, owner('one'));
    const rival = await rivalAt(site);
    const first = await rival.next();
    await rival.remove();
    // A renewal may have been on its way.
    let seen = await rival.next();
    while (seen !== null) seen = await rival.next();
    const again = await rival.next();
    expect(again).toMatchObject({ sandbox: 'one', process: first['process'], since: first['since'] });
    // A claim that was written a moment before may come twice.
    let later = await rival.next();
    while (later?.['at'] === again?.['at']) later = await rival.next();
    expect(later).toMatchObject({ sandbox: 'one', process: first['process'] });
  });

  it('keeps a site against a sandbox that claims it later', async () => {
    const site = await mosquittoOf(kind);
    const first = await start(kind, site, owner('one', { times: SLOW }));
    const rival = await rivalAt(site);
    await rival.next();
    await rival.claim({ sandbox: 'rival', process: 'rival', since: YEARS_AGO, at: YEARS_AGO });
    expect(await rival.next()).toMatchObject({ sandbox: 'rival' });
    expect(await rival.next()).toMatchObject({ sandbox: 'one' });
    expect(first.plant.notices.some(lost)).toBe(false);
  });

  it('a sandbox that was cut off and lost its site reports it and takes nothing more; the other one keeps the site, however late', async () => {
    const site = await mosquittoOf(kind);
    const proxy = await CuttableProxy.to(site.port);
    afterTest(() => proxy.close());
    const first = await start(kind, { ...site, port: proxy.port }, owner('one'));
    proxy.cut();
    const second = await start(kind, site, owner('two'));
    expect(second.claims.map((sentence) => sentence.split(':')[0])).toEqual(['waiting', 'taken-over']);
    // Wall time: the renewals that wait in the cable arrive later than a claim is valid; no result depends on more.
    await setTimeout(TIMES.staleMs);
    proxy.mend();
    await first.plant.seen(lost);
    expect(first.evicted).toContain(SITE);
    expect(first.broker.counts().connections).toBe(0);
    const caller = second.socket(serialOf(2));
    await caller.connect();
    await caller.sos(idFrom('of', 'the', 'second'));
    await second.plant.seen(({ kind: what }) => what === 'uplink-heard');
    expect([...first.plant.world.all('alert')]).toEqual([]);
    expect(second.plant.notices.some(lost)).toBe(false);
  });
});
