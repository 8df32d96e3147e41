/** The parts of one run, in the order of their setup: log, receivers, sandbox, customers, listeners, destinations, player. */
import { basename } from 'node:path';
import { Bug, Outage } from '../../base/assert.ts';
import { CLI } from '../../base/text/command-form.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { ActionAnswer, ActionAnswers, ActionName, ActionResult } from '../../contract/actions.ts';
import { DEFAULT_LIMITS } from '../../contract/requests.ts';
import type { JsonMap } from '../../contract/schema.ts';
import { BuiltInReceivers } from '../customer/built-in-receivers.ts';
import { type AccessControl, actionRefusalOf, Customer } from '../customer/customer.ts';
import { Destinations, ownReceivers, ReceiverAddresses } from '../customer/destinations.ts';
import { type HttpAnswer, type HttpCall, HttpClient } from '../customer/http-client.ts';
import { HouseRules } from '../judging/house-rules.ts';
import { CanonicalLog } from '../log/canonical-log.ts';
import { EventsFile } from '../log/events-file.ts';
import { RunRecord } from '../log/run-record.ts';
import { againOf } from '../model/again.ts';
import { CUSTOMER } from '../model/own-system.ts';
import { StageCompanies, StagePeople } from './names-on-stage.ts';
import { Pause } from './pause.ts';
import { Player } from './player.ts';
import type { RunStage } from './ports.ts';
import { listenerOf } from './stage-listener.ts';
import type { StageParts, StagePieces } from './stage-parts.ts';
import { type AnyPart, partOf } from './stage-start.ts';
import { beginSystem } from './system-on-stage.ts';

/** Time allowed for the start of the sandbox; wall ms. */
const BOOT_WITHIN_MS = 60_000;

const piece = partOf<StagePieces>();

/** In the order of setup; the teardown is in reverse order. */
export const STAGE_PIECES: readonly AnyPart<StagePieces>[] = [
  piece({
    name: 'log',
    needs: ['run'],
    start: ({ run }) => {
      const log = new CanonicalLog(run.options.out ?? null, run.options.onLogLine);
      run.played.log = log;
      log.append({ k: 'head', t: 0, d: headerOf(run) });
      return log;
    },
  }),
  piece({
    name: 'receivers',
    needs: ['run'],
    start: async ({ run: { clock, options, scenario } }) => {
      const receivers = new BuiltInReceivers(clock, options.receiverDomain);
      await receivers.start(scenario.receivers.filter(({ url }) => url === null).map(({ name }) => name));
      return receivers;
    },
    stop: (receivers) => receivers.stop(),
  }),
  piece({
    name: 'addresses',
    needs: ['run', 'receivers'],
    start: ({ run: { scenario }, receivers }) => new ReceiverAddresses(scenario.receivers, receivers),
  }),
  piece({
    name: 'stage',
    needs: ['run', 'addresses'],
    because: 'the sandbox forwards to the receivers',
    start: ({ run, addresses }) => boot(run, addresses),
    stop: (stage, { run }) => stage.stop().finally(run.options.onWait?.('sandbox')),
  }),
  piece({
    name: 'people',
    needs: ['run', 'stage'],
    start: ({ run: { scenario }, stage }) => new StagePeople(scenario, stage),
  }),
  piece({
    name: 'http',
    needs: ['run', 'stage'],
    start: ({ run: { clock }, stage }) => new HttpClient(stage.apiUrl, stage.trust?.ca ?? null, clock),
    stop: (http) => http.close(),
  }),
  piece({
    name: 'act',
    needs: ['stage', 'http'],
    start:
      ({ stage, http }) =>
      async (action, fields) => {
        if (stage.act !== undefined) return stage.act(action, fields);
        const body = { action, ...fields };
        const path = '/v1/sandbox/actions';
        const answer = await http.call({ method: 'POST', path, token: stage.controlToken, body });
        return actionRefusalOf(answer) ?? { results: resultsOf(answer.body) };
      },
  }),
  piece({
    name: 'companies',
    needs: ['run', 'stage'],
    start: ({ run: { scenario }, stage }) => new StageCompanies(scenario, stage),
  }),
  piece({
    name: 'house',
    needs: ['run', 'stage'],
    start: ({ run: { played }, stage }) =>
      new HouseRules(stage.look.house, (rule, why) => played.player?.breach(rule, why)),
  }),
  piece({
    name: 'customerOf',
    needs: ['run', 'stage', 'http', 'house', 'act'],
    start: ({ run, stage, http, house, act }) => {
      const control: AccessControl = {
        endTokens: async (how, organization) => void (await act('token', { [how]: organization })),
        setScopes: async (scopes, company) => void (await act('contract', { company, scopes })),
      };
      const call = async (organizationId: string, request: HttpCall): Promise<HttpAnswer> => {
        const answer = await http.call(request);
        house.answered(answer, organizationId, `${request.method} ${request.path}`);
        if (!run.played.over) run.options.witness?.onAnswer(request, answer);
        return answer;
      };
      const customers = new Map(
        stage.clients.map((client) => [
          client.organization,
          new Customer({ call: (request) => call(client.organizationId, request) }, client, control),
        ]),
      );
      return (company) => {
        const customer = customers.get(company ?? CUSTOMER);
        if (customer === undefined) throw new Bug(`The sandbox was booted without the company ${company ?? CUSTOMER}.`);
        return customer;
      };
    },
  }),
  piece({
    name: 'record',
    needs: ['run', 'addresses', 'companies', 'receivers'],
    start: ({ run: { clock }, addresses, companies, receivers }) =>
      new RunRecord(clock, {
        receiverOf: (url) => addresses.nameOf(url),
        companyOf: (id) => companies.nameOf(id),
        takePassedAt: (receiver, eventId) => receivers.takePassedAt(receiver, eventId),
      }),
  }),
  piece({
    name: 'connected',
    needs: ['run', 'receivers', 'stage', 'house', 'companies', 'record'],
    start: ({ run, receivers, stage, house, companies, record }) => {
      const { traffic } = run.options;
      if (traffic !== undefined) stage.changeRequests?.(traffic);
      receivers.connect({
        fateOf: traffic === undefined ? undefined : (attempt) => traffic.fateOf(attempt),
        onWait: run.options.onWait,
        park: (url, eventId) => stage.park(url, eventId),
        isTroubled: () => record.troubledTo === null,
        onReceived: (received) => house.received(received, companies.ownerOf(received.receiver)),
        onFollowed: (receiver) => house.followed(receiver),
      });
      return true;
    },
  }),
  piece({
    name: 'events',
    needs: ['run'],
    start: ({ run: { options } }) => new EventsFile(options.out ?? null),
    stop: (events) => events.close(),
  }),
  piece({
    name: 'hearing',
    needs: ['run', 'stage', 'receivers', 'addresses', 'people', 'companies', 'log', 'record', 'events', 'house'],
    because: 'the first notice is about the first destination',
    start: (pieces) => pieces.stage.onNotice(listenerOf(pieces)),
    stop: (end) => end(),
  }),
  piece({
    name: 'watching',
    needs: ['run', 'stage', 'people', 'addresses'],
    start: ({ run: { scenario, clock, options, played }, stage, people, addresses }) => {
      const { witness } = options;
      if (witness === undefined) return () => {};
      witness.onStage({
        scenario,
        clock,
        personOf: (id) => people.nameOf(id),
        receiverOf: (url) => addresses.nameOf(url),
        apiUrl: stage.apiUrl,
        secrets: [
          ...[stage.controlToken, ...stage.clients.map(({ clientSecret }) => clientSecret)],
          ...ownReceivers(scenario.receivers).map(({ secret }) => secret),
        ],
        truth: () => stage.truth(),
      });
      if (witness.onSeen === undefined) return () => {};
      return stage.onSeen((changes) => {
        if (!played.over) witness.onSeen?.(changes);
      });
    },
    stop: (end) => end(),
  }),
  piece({
    name: 'destinations',
    needs: ['run', 'receivers', 'addresses', 'customerOf'],
    start: async ({ run: { scenario }, receivers, addresses, customerOf }) => {
      const urlOf = ({ name }: { name: string }) => addresses.urlOf(name);
      const destinations = new Destinations({ planned: scenario.receivers, receivers, customerOf, urlOf });
      await destinations.createAll();
      return destinations;
    },
  }),
  piece({
    name: 'system',
    needs: ['run', 'stage', 'receivers', 'destinations', 'record'],
    because: 'it gets the address, the credentials and the secrets',
    start: (pieces) => beginSystem(pieces),
    stop: (system) => system?.end(),
  }),
  piece({
    name: 'pause',
    needs: ['run'],
    start: ({ run: { clock, options } }) =>
      options.pause === undefined ? null : new Pause({ clock, sink: options.sink, until: options.until ?? null }),
  }),
  piece({
    name: 'player',
    needs: [
      'run',
      'pause',
      'record',
      'log',
      'act',
      'customerOf',
      'stage',
      'people',
      'addresses',
      'receivers',
      'destinations',
      'system',
    ],
    because: 'the scenario begins where the clock stands when the player is made',
    start: ({
      run,
      pause,
      record,
      log,
      act,
      customerOf,
      stage,
      people,
      addresses,
      receivers,
      destinations,
      system,
    }) => {
      const { scenario, seed, mode, speed, clock, options, played } = run;
      const player = new Player({
        scenario,
        seed,
        mode,
        speed,
        order: { number: options.order ?? 0, shufflesTies: options.shufflesTies ?? false },
        clock,
        record,
        log,
        customerOf,
        sink: pause?.sink ?? options.sink,
        act: (action, fields) => {
          record.setTrouble(action, isTroubling(action, fields));
          system?.stir();
          return act(action, fields);
        },
        again: againOf(scenario, seed, options),
        waitsInPauses: options.waitsInPauses ?? true,
        until: options.until ?? null,
        look: stage.look,
        workerIds: (who) => people.idsOf(who),
        personOf: (id) => people.nameOf(id),
        urlOf: (receiver) => addresses.urlOf(receiver),
        soundness: (receiver, eventId) => receivers.soundness(receiver, eventId),
        webhook: (turn, receiver, isAnnounced) => destinations.turn(turn, receiver, isAnnounced),
        system: system?.port ?? null,
        onBreach: options.onBreach ?? (() => {}),
        observer: options.observer,
        onCheckFailed: options.onCheckFailed,
        behave: (receiver, does, delayMs) => receivers.behave(receiver, does, delayMs),
      });
      played.player = player;
      const { observer } = options;
      observer?.onRun({ look: stage.look, record, start: clock.now(), workerIds: (who) => people.idsOf(who) });
      if (options.order !== undefined) stage.orderRequests?.(player.requestsInFlight(options.requestsTogether));
      system?.wake();
      return player;
    },
  }),
];

/**
 * Returns true if an action makes the API refuse calls from now on; false for an action that ends this, and for all
 * others.
 */
function isTroubling(
  action: ActionName,
  { share, status, requests_per_minute, query_seconds_per_minute }: JsonMap,
): boolean {
  if (action === 'api_fault') return share !== 0 && status !== undefined;
  if (action !== 'limits') return false;
  return (
    Number(requests_per_minute ?? DEFAULT_LIMITS.requests_per_minute) < DEFAULT_LIMITS.requests_per_minute ||
    Number(query_seconds_per_minute ?? DEFAULT_LIMITS.query_seconds_per_minute) <
      DEFAULT_LIMITS.query_seconds_per_minute
  );
}

async function boot(
  { clock, scenario, seed, mode, options, aborted, abort }: StageParts,
  { forwards, ownReceiverSecret, isOwnReceiver }: ReceiverAddresses,
): Promise<RunStage> {
  // Watches need a running clock to connect where time is live; in lock-step the clock does not advance until the
  // scenario begins.
  if (clock.mode !== 'lockstep') clock.start();
  const start = scenario.start === null ? {} : { start: scenario.start };
  const receivers = { forwards, ownReceiverSecret, isOwnReceiver };
  const waited = options.onWait?.('sandbox');
  const booting = options.boot({ plan: scenario.plan, clock, seed, ...receivers, ...start });
  const cancel = clock.afterWall(BOOT_WITHIN_MS, () => abort(notUp(clock)), { unref: true });
  try {
    const stage = await Promise.race([booting, aborted]);
    const { apiUrl, controlToken } = stage;
    if (mode !== 'fast' && clock.mode === 'lockstep') options.sink({ kind: 'watchable', apiUrl, controlToken });
    return options.onCoverage === undefined ? stage : { ...stage, stop: () => coveredStop(stage, options.onCoverage) };
  } catch (error) {
    // Stops a sandbox that completes its start after the abort.
    booting.then((late) => late.stop()).catch(() => {});
    throw error;
  } finally {
    cancel();
    waited?.();
  }
}

/** The coverage ends with the sandbox. */
function coveredStop(stage: RunStage, onCoverage: StageParts['options']['onCoverage']): Promise<void> {
  const coverage = stage.coverage();
  if (coverage !== null) onCoverage?.(coverage);
  return stage.stop();
}

function resultsOf(body: unknown): readonly ActionResult[] {
  const answer = body as Partial<ActionAnswer & ActionAnswers> | null;
  return answer?.results ?? (answer?.result === undefined ? [] : [answer.result]);
}

/** The header of the log: everything that determines the run. */
function headerOf({ scenario, seed, start, options }: StageParts): object {
  const { title, file, values } = scenario;
  const { set = {}, until } = options;
  return {
    version: options.version ?? 'development',
    scenario: title,
    file: basename(file),
    seed,
    start,
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
    fix: `Run it again. ${CLI} doctor checks the machine.`,
  });
}
