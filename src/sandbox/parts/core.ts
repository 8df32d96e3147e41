/** The core: the engine, and what follows its commits. */

import { join } from 'node:path';
import type { Stops } from '../../base/stops.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { DEFAULT_ASSUMPTIONS } from '../../contract/gaps.ts';
import { followDeliveries } from '../../service/engine/delivery-totals.ts';
import { Engine } from '../../service/engine/engine.ts';
import { EventLog } from '../../service/engine/event-log.ts';
import { WatchLog } from '../../service/engine/watch-log.ts';
import { failureLog } from '../../service/store/folder/failure-log.ts';
import { followRescues } from '../fleet/rescue.ts';
import { type OutgoingMail, PostOffice } from '../listeners/mail-server.ts';
import { Mailbox } from '../listeners/mailbox.ts';
import { Fleets } from '../runs/fleets.ts';
import type { LifeControl, SandboxState } from './storage.ts';

/** The addresses of the sandbox. Each is empty until the part that listens there has started. */
export interface SandboxAddresses {
  /** The base address for external clients: `--public-url`, else the address of the API. [decisions 10] */
  publicUrl: string;
  apiUrl: string;
  mqttUrl: string;
  readonly panelUrl: string;
}

export async function startCore(state: SandboxState, lives: LifeControl, stops: Stops) {
  const { options, stored, opened, folder, alarm, warnings } = state;
  const { world, meta, clock } = stored;
  const addresses: SandboxAddresses = {
    publicUrl: options.publicUrl?.replace(/\/+$/, '') ?? '',
    apiUrl: '',
    mqttUrl: '',
    get panelUrl() {
      return `${this.publicUrl}/panel`;
    },
  };
  const assumptions = { ...DEFAULT_ASSUMPTIONS, ...options.assumptions };

  const engine = new Engine({
    clock,
    world,
    addresses,
    assumptions,
    store: opened.store,
    salt: meta.salt,
    onBroken: (error) => options.onBroken?.(error),
    ...sharedTransactions(state, lives),
    ...(folder.kept ? { recordFailure: failureLog(folder.path) } : {}),
  });
  stops.add(() => engine.stop());
  alarm.onRaised((error) => engine.fail(error));
  clock.contain((error, actor) => engine.failures.report({ part: 'task', what: actor, error }));
  if (options.onNotice !== undefined) engine.listen({ notice: options.onNotice });

  // Logs and totals begin before anything can be committed, so that they miss nothing.
  const logs = { watches: new WatchLog(), events: new EventLog() };
  engine.listen({
    notice: (notice) => {
      logs.watches.take(notice);
      logs.events.take(notice);
    },
  });
  const deliveries = await followDeliveries(engine, opened.store);
  const fleets = new Fleets();
  followRescues(engine, fleets);

  const postOffice = options.smtp === undefined ? null : await openPostOffice(engine, options.smtp, warnings);
  const mailbox = new Mailbox({
    engine,
    postOffice,
    folder: options.memory === true ? null : join(folder.path, 'mail'),
  });
  stops.add(() => mailbox.stop());
  return { addresses, assumptions, engine, logs, deliveries, fleets, mailbox };
}

export type SandboxCore = SandboxState & Awaited<ReturnType<typeof startCore>>;

/** If other nodes write too, this node performs due work only on the sites that it has claimed. */
function sharedTransactions(
  { opened, membership }: SandboxState,
  lives: LifeControl,
): Pick<ConstructorParameters<typeof Engine>[0], 'shared'> {
  const { nodes } = opened.store;
  if (nodes === null || membership === null) return {};
  const isMine = (siteId: string) => membership.has('site', siteId);
  return { shared: { transactions: nodes.transactions, isMine, onOutdated: (error) => lives.beginAgain(error) } };
}

/** An unavailable mail server does not prevent the start: e-mails wait for the server. */
async function openPostOffice(engine: Engine, server: URL, warnings: string[]): Promise<PostOffice> {
  const onFailed = ({ id, to }: OutgoingMail, why: string, again: boolean) =>
    engine.notify({ kind: 'mail-refused', at: formatInstant(engine.clock.now()), id, to, why, again });
  const office = await PostOffice.open({ clock: engine.clock, server, onFailed });
  const why = await office.objection();
  if (why !== null)
    warnings.push(`The mail server ${server.host} cannot be used now: ${why}. E-mails are sent when it is available.`);
  return office;
}
