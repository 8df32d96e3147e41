/** The core parts: the engine, and the parts that follow its commits. */

import { join } from 'node:path';
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
import { part, type SandboxPart, type SandboxParts } from './parts.ts';

export const CORE_PARTS: readonly SandboxPart[] = [
  part({
    name: 'addresses',
    needs: ['options'],
    start: ({ options }) => ({
      publicUrl: options.publicUrl?.replace(/\/+$/, '') ?? '',
      apiUrl: '',
      mqttUrl: '',
      get panelUrl() {
        return `${this.publicUrl}/panel`;
      },
    }),
  }),
  part({
    name: 'assumptions',
    needs: ['options'],
    start: ({ options }) => ({ ...DEFAULT_ASSUMPTIONS, ...options.assumptions }),
  }),
  part({
    name: 'engine',
    needs: ['options', 'stored', 'opened', 'folder', 'alarm', 'addresses', 'assumptions', 'membership', 'lives'],
    start: (parts) => {
      const { options, stored, opened, folder, alarm, addresses, assumptions } = parts;
      const { world, meta, clock } = stored;
      const engine = new Engine({
        clock,
        world,
        addresses,
        assumptions,
        store: opened.store,
        salt: meta.salt,
        onBroken: (error) => options.onBroken?.(error),
        ...sharedTransactions(parts),
        ...(folder.kept ? { recordFailure: failureLog(folder.path) } : {}),
      });
      alarm.onRaised((error) => engine.fail(error));
      clock.contain((error, actor) => engine.failures.report({ part: 'task', what: actor, error }));
      if (options.onNotice !== undefined) engine.listen({ notice: options.onNotice });
      return engine;
    },
    stop: (engine) => engine.stop(),
  }),
  part({
    name: 'logs',
    needs: ['engine'],
    because: 'Logs and totals begin before anything can be committed, so that they miss nothing.',
    start: ({ engine }) => {
      const [watches, events] = [new WatchLog(), new EventLog()];
      engine.listen({
        notice: (notice) => {
          watches.take(notice);
          events.take(notice);
        },
      });
      return { watches, events };
    },
  }),
  part({
    name: 'deliveries',
    needs: ['engine', 'opened'],
    start: ({ engine, opened }) => followDeliveries(engine, opened.store),
  }),
  part({
    name: 'fleets',
    needs: ['engine'],
    start: ({ engine }) => {
      const fleets = new Fleets();
      followRescues(engine, fleets);
      return fleets;
    },
  }),
  part({
    name: 'mailbox',
    needs: ['engine', 'options', 'folder', 'warnings'],
    start: async ({ engine, options, folder, warnings }) => {
      const postOffice = options.smtp === undefined ? null : await openPostOffice(engine, options.smtp, warnings);
      return new Mailbox({
        engine,
        postOffice,
        folder: options.memory === true ? null : join(folder.path, 'mail'),
      });
    },
    stop: (mailbox) => mailbox.stop(),
  }),
];

/** If other nodes write too, this node performs due work only on the sites that it has claimed. */
function sharedTransactions({
  opened,
  membership,
  lives,
}: Pick<SandboxParts, 'opened' | 'membership' | 'lives'>): Pick<ConstructorParameters<typeof Engine>[0], 'shared'> {
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
