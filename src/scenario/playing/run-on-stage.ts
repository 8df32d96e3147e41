/** Sets the stage of one run, plays on it and clears it away: receivers, sandbox, destinations, story, and back. */
import { basename } from 'node:path';
import { Bug, Outage } from '../../base/assert.ts';
import type { Clock } from '../../base/clock.ts';
import type { ActionAnswer, ActionAnswers, ActionName, ActionResult } from '../../contract/actions.ts';
import type { Notice } from '../../contract/notices.ts';
import { BuiltInReceivers } from '../customer/built-in-receivers.ts';
import { CallBacks } from '../customer/call-backs.ts';
import { type AccessControl, actionRefusalOf, Customer } from '../customer/customer.ts';
import { Destinations } from '../customer/destinations.ts';
import { type HttpAnswer, type HttpCall, HttpClient } from '../customer/http-client.ts';
import { ReceiverAddresses } from '../customer/receiver-addresses.ts';
import { HouseRules } from '../judging/house-rules.ts';
import { CanonicalLog } from '../log/canonical-log.ts';
import { EventsFile } from '../log/events-file.ts';
import { entryOf, type Naming } from '../log/log-notices.ts';
import { MusterFigures } from '../log/muster-figures.ts';
import { RunRecord } from '../log/run-record.ts';
import { CUSTOMER } from '../reading/read-world.ts';
import { againOf } from '../story/again.ts';
import type { RunMode, Story } from '../story/story.ts';
import { Pause } from './pause.ts';
import { Player } from './player.ts';
import type { Stage } from './ports.ts';
import type { RunOptions } from './run-file.ts';

/** A sandbox that does not stop within this wall time is left behind. */
const STOP_WITHIN_MS = 10_000;

/** A sandbox that is not up within this wall time never will be. */
const BOOT_WITHIN_MS = 60_000;

/** What of a run remains when it is over, however it ended. */
export interface Played {
  player: Player | null;
  log: CanonicalLog | null;
  /** The story was played to its end; what comes after is looking around. */
  over: boolean;
  /** When that was, by `monotonic()`; null: not yet. */
  overMs: number | null;
}

export interface StageParts {
  readonly story: Story;
  readonly seed: string;
  readonly mode: RunMode;
  readonly speed: number;
  readonly clock: Clock;
  /** As the log's header names it. */
  readonly start: string;
  readonly options: RunOptions;
  /** Rejects when the run must end at once. */
  readonly aborted: Promise<never>;
  readonly abort: (reason: Error) => void;
  readonly played: Played;
}

/** Resolves when the story was played to its end; rejects with what broke it off. */
export async function playOnStage(parts: StageParts): Promise<void> {
  const { clock, story, options, aborted, played } = parts;
  const stops: (() => Promise<void> | void)[] = [];
  try {
    const log = new CanonicalLog(options.out ?? null, options.onLogLine);
    played.log = log;
    log.append({ k: 'head', t: 0, d: headerOf(parts) });
    const receivers = new BuiltInReceivers(clock, options.receiverDomain);
    stops.push(() => receivers.stop());
    await receivers.start(story.receivers.filter(({ url }) => url === null).map(({ name }) => name));
    const addresses = new ReceiverAddresses(story.receivers, receivers);
    // In real and scaled time watches need the clock to come up; in lock-step it stands still until the story begins.
    if (clock.mode !== 'lockstep') clock.start();
    const start = story.start === null ? {} : { start: story.start };
    const booting = options.boot({ plan: story.plan, clock, seed: parts.seed, forwards: addresses.forwards, ...start });
    const cancel = clock.afterWall(BOOT_WITHIN_MS, () => parts.abort(notUp(clock)), { unref: true });
    const stage = await Promise.race([booting, aborted]).catch((error) => {
      // A sandbox that comes up after the run has ended is stopped all the same.
      booting.then((late) => late.stop()).catch(() => {});
      throw error;
    });
    cancel();
    stops.push(() => stage.stop());
    await Promise.race([play(parts, stage, log, { receivers, addresses }, stops), aborted]);
  } finally {
    clock.pause();
    played.log?.close();
    for (const stop of stops.reverse()) await withinLimit(clock, async () => stop());
  }
}

async function play(
  parts: StageParts,
  stage: Stage,
  log: CanonicalLog,
  { receivers, addresses }: { receivers: BuiltInReceivers; addresses: ReceiverAddresses },
  stops: (() => void)[],
): Promise<void> {
  const { story, seed, mode, speed, clock, options, played } = parts;
  const http = new HttpClient(stage.apiUrl, clock);
  stops.push(() => http.close());
  const act = async (action: ActionName, fields: object) => {
    if (stage.act !== undefined) return stage.act(action, fields);
    const body = { action, ...fields };
    const answer = await http.call({ method: 'POST', path: '/v1/sandbox/actions', token: stage.controlToken, body });
    return actionRefusalOf(answer) ?? { results: resultsOf(answer.body) };
  };
  const control: AccessControl = {
    endTokens: async (how, organization) => void (await act('token', { [how]: organization })),
    setScopes: async (scopes, company) => void (await act('contract', { company, scopes })),
  };
  const customers = new Map(
    stage.clients.map((client) => [
      client.organization,
      new Customer({ call: (asked) => heard(client.organizationId, asked) }, client, control),
    ]),
  );
  const customerOf = (company: string | null): Customer => {
    const customer = customers.get(company ?? CUSTOMER);
    if (customer === undefined) throw new Bug(`The sandbox was booted without the company ${company ?? CUSTOMER}.`);
    return customer;
  };
  const house = new HouseRules(stage.look.house, (rule, why) => played.player?.breach(rule, why));
  const idOf = (company: string): string =>
    stage.clients.find(({ organization }) => organization === company)?.organizationId ?? '';
  const ownerOf = (name: string) => idOf(story.receivers.find((one) => one.name === name)?.company ?? CUSTOMER);
  const calling = new Set(story.receivers.filter(({ callsBack }) => callsBack).map(({ name }) => name));
  const callBacks = new CallBacks(clock);
  receivers.connect({
    park: (url, eventId) => stage.park(url, eventId),
    onReceived: (received) => house.received(received, ownerOf(received.receiver)),
    onFollowed: (receiver) => house.followed(receiver),
  });
  const people = new People(story, stage);
  const record = new RunRecord(clock, {
    receiverOf: (url) => addresses.nameOf(url),
    companyOf: (id) => stage.clients.find(({ organizationId }) => organizationId === id)?.organization ?? id,
  });
  const naming: Naming = { personOf: (id) => people.nameOf(id), receiverOf: (url) => addresses.nameOf(url) };
  const { witness } = options;
  const events = new EventsFile(options.out ?? null);
  stops.push(() => events.close());
  const figures = new MusterFigures(options.sink, () => played.player?.atMs ?? 0);
  stops.push(stage.onNotice((notice) => hear(notice)));
  if (witness !== undefined) {
    witness.sees({ story, clock, ...naming, missing: (musterId) => stage.look.missing(musterId) });
    stops.push(stage.onFix((fix) => witness.follow(fix)));
  }

  const planned = story.receivers;
  const urlOf = ({ name }: { name: string }) => addresses.urlOf(name);
  const destinations = new Destinations({ planned, receivers, customerOf, urlOf });
  await destinations.createAll();
  const until = options.until ?? null;
  const pause = options.pause === undefined ? null : new Pause({ clock, sink: options.sink, until });
  const player = new Player({
    ...{ story, seed, mode, speed, clock, record, log, act, customerOf, sink: pause?.sink ?? options.sink },
    again: againOf(story, seed, options),
    until,
    look: stage.look,
    workerIds: (who) => people.idsOf(who),
    urlOf: (receiver) => addresses.urlOf(receiver),
    soundness: (receiver, eventId) => receivers.soundness(receiver, eventId),
    webhook: (turn, receiver) => destinations.turn(turn, receiver),
    behave: (receiver, does, delayMs) => receivers.behave(receiver, does, delayMs),
  });
  played.player = player;
  witness?.begins(clock.now());
  const begin = () => clock.start();
  const isPaused = pause === null ? await playAll(player, begin) : await pause.play(player, begin);
  const hold = isPaused ? options.pause : options.keep;
  played.over = true;
  played.overMs = clock.monotonic();
  if (hold === undefined) return;
  player.rest();
  // The verdict stands; the log and the reports tell of the story, not of what a person does now.
  log.close();
  clock.handOver();
  await hold(stage, { line: player.playing?.line ?? null, atMs: player.lastMs });

  async function heard(organizationId: string, asked: HttpCall): Promise<HttpAnswer> {
    const answer = await http.call(asked);
    house.answered(answer, organizationId, `${asked.method} ${asked.path}`);
    if (!played.over) witness?.called(asked, answer);
    return answer;
  }

  function waitForCalls(notice: Notice): void {
    if (calling.size === 0) return;
    const isCall = notice.kind === 'request-answered' && !/^\/v1\/(?:sandbox|oauth)\//.test(notice.path);
    if (isCall) callBacks.answered(notice.organization_id);
    if (notice.kind !== 'delivery-attempted' || notice.result !== 'delivered') return;
    const name = addresses.nameOf(notice.url) ?? '';
    if (calling.has(name)) callBacks.delivered(ownerOf(name));
  }

  // Called by the engine right after a commit: nothing may be thrown at it.
  function hear(notice: Notice): void {
    try {
      const entry = entryOf(notice, naming);
      // What happens before the story begins, happens at its beginning; what a person does after it is not the story's.
      if (!played.over) {
        if (entry !== null) log.append({ ...entry, t: played.player?.atMs ?? 0 });
        if (notice.kind === 'event-occurred') events.append(notice.event);
        record.hear(notice);
        witness?.hear(notice);
        if (notice.kind === 'muster-changed') figures.hear(notice.muster);
        watch(notice, house);
      }
      waitForCalls(notice);
      if (notice.kind === 'storage-broken') parts.abort(broken(notice.detail));
      // A sandbox that is up goes on; a verdict over a sandbox that made a mistake is worth nothing.
      if (notice.kind === 'internal-error') parts.abort(new Bug(`${notice.part} ${notice.what}: ${notice.error}`));
    } catch (error) {
      parts.abort(error instanceof Error ? error : new Bug(String(error)));
    }
  }
}

async function playAll(player: Player, begin: () => void): Promise<false> {
  const playing = player.play();
  begin();
  await playing;
  return false;
}

function watch(notice: Notice, house: HouseRules): void {
  if (notice.kind === 'alert-changed') house.alert(notice.alert, notice.organization_id);
  else if (notice.kind === 'muster-changed') house.muster(notice.muster, notice.organization_id);
  else if (notice.kind === 'event-occurred') house.event(notice.event, notice.listed);
}

/** One for each actor. */
function resultsOf(body: unknown): readonly ActionResult[] {
  const answer = body as Partial<ActionAnswer & ActionAnswers> | null;
  return answer?.results ?? (answer?.result === undefined ? [] : [answer.result]);
}

function headerOf({ story, seed, start, options }: StageParts): object {
  const { title: scenario, file, values } = story;
  const head = { version: options.version ?? 'development', scenario, file: basename(file), seed, start };
  const { set = {}, until } = options;
  // What else the run follows from, so that it can be played again from its log.
  return {
    ...head,
    ...(values === null ? {} : { case: values }),
    ...(Object.keys(set).length === 0 ? {} : { set }),
    ...(until === undefined ? {} : { until }),
  };
}

function notUp(clock: Clock): Outage {
  const who = clock.holders().map(({ lane, label }) => `${lane} (${label})`);
  return new Outage({
    code: 'stuck',
    message: `The sandbox was not up within ${BOOT_WITHIN_MS / 1000} s${who.length === 0 ? '' : `; it waits for ${who.join(', ')}`}.`,
    cure: 'Run it again; sandbox doctor tells what the machine lacks.',
  });
}

function broken(detail: string): Outage {
  return new Outage({
    code: 'storage_broken',
    message: `The sandbox lost its store: ${detail}`,
    cure: 'Make room on the disk.',
  });
}

/** The people of the story and the ids under which the running sandbox knows them. */
class People {
  readonly #ids = new Map<string, readonly string[]>();
  readonly #names = new Map<string, string>();

  constructor({ cast }: Story, stage: Stage) {
    for (const [name, externalIds] of cast) {
      const ids = externalIds.map((externalId) => stage.workerId(externalId));
      this.#ids.set(name, ids);
      for (const [i, id] of ids.entries()) this.#names.set(id, ids.length === 1 ? name : (externalIds[i] as string));
    }
  }

  idsOf(name: string): readonly string[] {
    return this.#ids.get(name) ?? [];
  }

  nameOf(id: string): string | undefined {
    return this.#names.get(id);
  }
}

/** Awaits a stop, but not for ever. */
function withinLimit(clock: Clock, stop: () => Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.afterWall(STOP_WITHIN_MS, () => resolve(), { unref: true });
    const done = () => {
      cancel();
      resolve();
    };
    stop().then(done, done);
  });
}
