/** Pages of the receiver: one page per person for an alert that was raised once, however many deliveries and polls report it. [spec 6.2, 6.6] */

import { formatInstant } from '../../../base/time/instants.ts';
import { later, monotonicMs } from '../../../base/time/timers.ts';
import type { Alert } from '../../../contract/resources.ts';
import { type ApiClientWatch, EVENTS_PATH } from '../api-client-watch.ts';
import { type CheckBench, type Finding, failed, notJudged, passed, type ReceiverCheck } from '../check.ts';
import { ALERTS_PATH } from '../delivered.ts';
import type { PersonPage } from '../probe.ts';
import type { Exchange } from '../send.ts';
import { REST_MS } from './client.ts';
import { acceptedFinding } from './row.ts';

/** Time limit for a page, which a task may send after the answer; wall milliseconds. */
const PAGED_MS = 3_000;
/** A second page would arrive within this time after the last cause of a page; wall milliseconds. */
const SECOND_MS = 500;
/** Time within which the receiver repeats a refused update; wall milliseconds. */
const UPDATED_MS = 5_000;
const LOOK_EVERY_MS = 50;

/** An alert that was raised once, and the ways in which the receiver learned of it. */
interface RaisedOnce {
  readonly id: string;
  readonly causes: readonly string[];
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => void later(ms, resolve));

export const PAGE_CHECKS: readonly ReceiverCheck[] = [
  {
    number: 61,
    group: 'pages',
    title: 'A person is paged once for one alert',
    clause: '6.2 at-least-once, 6.6',
    needs: ['pages'],
    judge: async (bench) => {
      const sent: Exchange[] = [];
      await bench.client?.quiet(REST_MS);
      const alerts = [await deliverOften(bench, sent)];
      if (bench.client !== null) alerts.unshift(await deliverAndList(bench, bench.client, sent));
      const refused = acceptedFinding(sent, 'Answer 2xx to duplicates, and do not page a person twice.');
      if (refused.result !== 'passed') return refused;
      return judgePages(bench, alerts, sent);
    },
  },
];

/**
 * Delivers an alert several times, one after the other and at the same time, and then another event of the same alert.
 */
async function deliverOften({ make, send, client }: CheckBench, sent: Exchange[]): Promise<RaisedOnce> {
  const alert = make.alert();
  client?.unavailable.add(alert.id);
  const event = make.event({ alert });
  const again = () => send(make.of('the same again', event));
  sent.push(await send(make.of('a new SOS', event)), await again(), ...(await Promise.all([again(), again()])));
  const pressed: Alert = { ...alert, date_last_modified: formatInstant(Date.parse(alert.date_last_modified) + 1_000) };
  const press = make.event(
    { alert: { ...pressed, worker_acknowledged_at: alert.date_last_modified } },
    { type: 'alert.worker_acknowledged' },
  );
  sent.push(await send(make.of('the press on its watch, still unacknowledged', press)));
  client?.unavailable.delete(alert.id);
  return {
    id: alert.id,
    causes: ['its event was delivered four times', 'its worker pressed acknowledge on the watch'],
  };
}

/** Delivers an alert that the API also lists, while its acknowledgement is answered 503. */
async function deliverAndList(bench: CheckBench, client: ApiClientWatch, sent: Exchange[]): Promise<RaisedOnce> {
  const { make, send } = bench;
  const [eventId = ''] = await client.sandbox.raiseOpen(1);
  const body = client.sandbox.eventBody(eventId)!;
  const { id } = (JSON.parse(body) as { data: { alert: Alert } }).data.alert;
  client.unavailable.add(id);
  const beganMs = monotonicMs();
  const deliver = () => send(make.raw('a new SOS that the API lists', eventId, body));
  sent.push(await deliver(), await deliver());
  const calls = () => client.dataCalls.filter(({ startedMs }) => startedMs > beganMs);
  const isListed = () =>
    calls().some(
      ({ method, path, status, answer }) =>
        method === 'GET' && LISTS.includes(path) && status === 200 && JSON.stringify(answer).includes(id),
    );
  const listed = await client.until(isListed, polls(bench, client) ? bench.clientWaitMs : SECOND_MS);
  // The receiver processes a list after the answer has arrived.
  if (listed !== null) await pause(SECOND_MS);
  const isUpdate = ({ method, path }: { method: string; path: string }) => method === 'PATCH' && path.endsWith(id);
  const isRefused = calls().some(isUpdate);
  client.unavailable.delete(id);
  if (isRefused) await client.until(() => calls().some((one) => isUpdate(one) && one.status === 200), UPDATED_MS);
  return {
    id,
    causes: [
      'its event was delivered twice',
      ...(listed === null ? [] : ['a list of the API had it']),
      ...(isRefused ? ['its acknowledgement was answered 503 at first'] : []),
    ],
  };
}

const LISTS = [ALERTS_PATH, EVENTS_PATH];

/** True if the receiver has fetched a list more than once since it was started. */
function polls({ process }: CheckBench, { dataCalls }: ApiClientWatch): boolean {
  const begins = dataCalls.filter(
    ({ path, query, startedMs }) =>
      LISTS.includes(path) && !new URLSearchParams(query).has('cursor') && startedMs > (process?.startedMs ?? 0),
  );
  return LISTS.some((list) => begins.filter(({ path }) => path === list).length > 1);
}

async function judgePages(bench: CheckBench, alerts: readonly RaisedOnce[], sent: Exchange[]): Promise<Finding> {
  const pages = await pagesOf(bench, alerts);
  if (typeof pages === 'string') return notJudged(pages);
  const text = `${alerts.length} critical alerts, raised once each: ${alerts.map(({ causes }) => causes.join(', ')).join('; ')}`;
  const twice = alerts.flatMap(({ id, causes }) =>
    [...timesOf(pages, id)].filter(([, times]) => times > 1).map(([person, times]) => ({ person, times, causes })),
  );
  const [first] = twice;
  if (first !== undefined)
    return failed(text, `${first.person} was paged ${first.times} times for one alert: ${first.causes.join(', ')}`, {
      production:
        'A delivery can arrive several times, and a poll also lists delivered events. People are called again for alerts that they know, and stop taking calls seriously.',
      fix: 'Before you page, store that the person is paged, in one table with a unique key of alert and person. Use it for deliveries and polls. Page again only if the alert was reopened.',
      exchanges: sent,
    });
  const silent = alerts.filter(({ id }) => timesOf(pages, id).size === 0);
  if (silent.length > 0)
    return notJudged(
      'the probe names no page for a new SOS that nobody has acknowledged',
      'Page somebody for each unacknowledged critical alert, and return the id of the alert from the probe.',
    );
  return passed(text, `${pages.length} pages, each person once for each of them`, sent);
}

function timesOf(pages: readonly PersonPage[], id: string): Map<string, number> {
  const times = new Map<string, number>();
  for (const { alert, person } of pages) if (alert === id) times.set(person, (times.get(person) ?? 0) + 1);
  return times;
}

/** Reads the pages when every alert has caused a page and a second page would have arrived. */
async function pagesOf({ pages }: CheckBench, alerts: readonly RaisedOnce[]): Promise<readonly PersonPage[] | string> {
  const endMs = monotonicMs() + PAGED_MS;
  for (;;) {
    const found = await pages!.read();
    if (typeof found === 'string') return found;
    if (monotonicMs() > endMs) return found;
    if (alerts.every(({ id }) => timesOf(found, id).size > 0)) break;
    await pause(LOOK_EVERY_MS);
  }
  await pause(SECOND_MS);
  return pages!.read();
}
