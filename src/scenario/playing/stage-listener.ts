/** Handles each notice of the sandbox: log, record, witness, house rules, and holding time for calls of clients. */
import { Bug, Outage } from '../../base/assert.ts';
import type { Notice } from '../../contract/notices.ts';
import { CallBacks } from '../customer/call-backs.ts';
import { RetryWaits } from '../customer/retry-waits.ts';
import { entryOf } from '../log/log-notices.ts';
import { MusterFigures } from '../log/muster-figures.ts';
import { isTrouble } from '../log/run-record.ts';
import type { StagePieces } from './stage-parts.ts';

/**
 * The user's own system usually calls at once. If it is slower, the rules wait at the end of their limits, so no result
 * depends on this value; wall ms.
 */
const OWN_SYSTEM_CALLS_WITHIN_MS = 8;

/** Returns the listener. The engine calls it right after a commit, so it must not throw. */
export function listenerOf({
  run,
  receivers,
  addresses,
  people,
  companies,
  log,
  record,
  events,
  house,
}: Pick<
  StagePieces,
  'run' | 'receivers' | 'addresses' | 'people' | 'companies' | 'log' | 'record' | 'events' | 'house'
>) {
  const { scenario, clock, options, played, abort } = run;
  const naming = { personOf: (id: string) => people.nameOf(id), receiverOf: (url: string) => addresses.nameOf(url) };
  const figures = new MusterFigures(options.sink, () => played.player?.atMs ?? 0);
  const calling = new Set(
    scenario.receivers.filter(({ callsBack, systemPath }) => callsBack || systemPath !== null).map(({ name }) => name),
  );
  const own = new Set(scenario.receivers.filter(({ systemPath }) => systemPath !== null).map(({ name }) => name));
  const callBacks = new CallBacks(clock, own.size > 0 ? OWN_SYSTEM_CALLS_WITHIN_MS : undefined, options.onWait);
  const retryWaits = scenario.system === null ? null : new RetryWaits(clock, options.onWait);
  return (notice: Notice): void => {
    try {
      const entry = entryOf(notice, naming);
      // Notices before the scenario count as at its start; notices after it are ignored.
      if (!played.over) {
        if (entry !== null) log.append({ ...entry, t: played.player?.atMs ?? 0 });
        if (notice.kind === 'event-occurred') events.append(notice.event);
        record.add(notice);
        options.witness?.onNotice(notice);
        if (notice.kind === 'muster-changed') figures.onMuster(notice.muster);
        house.onNotice(notice);
      }
      if (calling.size > 0) waitForCalls(notice);
      if (notice.kind === 'request-answered' && !played.over)
        retryWaits?.answered(notice.organization_id, notice.retry_after_s);
      if (notice.kind === 'storage-broken') abort(storageBroken(notice.detail));
      // An internal error makes the result invalid, even if it was contained.
      if (notice.kind === 'internal-error') abort(new Bug(`${notice.part} ${notice.what}: ${notice.error}`));
    } catch (error) {
      abort(error instanceof Error ? error : new Bug(String(error)));
    }
  };

  function waitForCalls(notice: Notice): void {
    if (notice.kind === 'request-answered' && isTrouble(notice.status)) receivers.letTimePass();
    const isCall = notice.kind === 'request-answered' && !/^\/v1\/(?:sandbox|oauth)\//.test(notice.path);
    if (isCall) callBacks.answered(notice.organization_id);
    if (notice.kind !== 'delivery-attempted' || notice.result !== 'delivered') return;
    const name = addresses.nameOf(notice.url) ?? '';
    if (calling.has(name)) callBacks.delivered(companies.ownerOf(name));
  }
}

const storageBroken = (detail: string): Outage =>
  new Outage({
    code: 'storage_broken',
    message: `The sandbox lost its store: ${detail}`,
    fix: 'Free space on the disk.',
  });
