/**
 * The sandbox of `sandbox certify --watch`: in memory, with the watch instead of one of its own, and with short
 * intervals. [cli, certify]
 */
import { assert } from '../../base/assert.ts';
import type { Notice } from '../../contract/notices.ts';
import { defaultWorld } from '../../plant/default-world.ts';
import type { Plan, PlannedSite } from '../../plant/plan.ts';
import type { WatchService } from '../../proving/certify/watch/bench.ts';
import { isRejection } from '../../service/domain/changes.ts';
import { startOwnSandbox } from '../own-sandbox.ts';

interface WatchSandboxOptions extends Pick<WatchService, 'serial' | 'positionEveryMs' | 'alarmEveryMs' | 'promptMs'> {
  /** Null: the key is derived, and is the same for the same serial each time. */
  readonly key: string | null;
}

interface WatchSandbox extends WatchService {
  stop(): Promise<void>;
}

const SEED = '1';

export async function startWatchSandbox({ key, ...watch }: WatchSandboxOptions): Promise<WatchSandbox> {
  const { serial } = watch;
  const noted: string[] = [];
  const { sandbox, stop } = await startOwnSandbox('certify', {
    plan: planWith(watch),
    // With a given key the watch may connect from the network. Then no secret may be derived from the seed. [decisions
    // 10]
    ...(key === null ? { seed: SEED } : { credentials: { watches: { [serial]: key } } }),
    onNotice: (notice) => {
      const line = notedLine(notice);
      if (line !== null) noted.push(line);
    },
  });
  const listed = sandbox.watches().find((one) => one.serial === serial);
  assert(listed !== undefined, 'The plan has the watch.');
  const { world } = sandbox.engine;
  const device = world.need('device', world.indexes.deviceId(serial) ?? '');
  const worker = device.workerId;
  assert(worker !== null, 'The watch of the plan has a wearer.');
  return {
    ...watch,
    key: listed.key,
    siteId: listed.site_id,
    broker: { port: Number(new URL(sandbox.ready.mqtt_url).port), ca: null },
    act: async (body) => {
      const outcome = await sandbox.act(body);
      return isRejection(outcome) || !('result' in outcome.answer) ? null : outcome.answer.result;
    },
    openAlerts: async () => [...world.indexes.openAlertsOfWorker.of(worker).values()].map(({ id }) => id),
    noted: async () => noted,
    stop,
  };
}

const notedLine = (notice: Notice): string | null =>
  notice.kind === 'watch-noted' || notice.kind === 'watch-refused'
    ? `${notice.what.split('/').slice(-2).join('/')}: ${notice.why}`
    : null;

type PlannedWatch = Omit<WatchSandboxOptions, 'key'>;

/** The default world. A serial that the world does not have replaces the first one. */
function planWith({ serial, positionEveryMs, alarmEveryMs, promptMs }: PlannedWatch): Plan {
  const plan = defaultWorld(SEED);
  const isKnown = plan.organizations.some(({ sites }) => sites.some((site) => indexOf(site, serial) >= 0));
  const service = { positionEveryMs, alarmEveryMs, fallPromptMs: promptMs };
  const organizations = plan.organizations.map((organization, company) => ({
    ...organization,
    sites: organization.sites.map((site, number) => {
      const place = isKnown ? indexOf(site, serial) : company === 0 && number === 0 ? 0 : -1;
      const workers = site.workers.map((worker, i) =>
        i === place ? { ...worker, watch: { ...worker.watch, serial } } : worker,
      );
      return place < 0 ? site : { ...site, workers, service: { ...site.service, ...service } };
    }),
  }));
  return { organizations };
}

const indexOf = ({ workers }: PlannedSite, serial: string): number =>
  workers.findIndex(({ watch }) => watch.serial === serial);
