/** The deliveries to a receiver, with each attempt. */
import { Html, html } from '../../../base/text/html.ts';
import { formatDuration } from '../../../base/time/durations.ts';
import { formatClockTime } from '../../../base/time/instants.ts';
import type { ReportAttempt, ReportReceiver } from '../report-data.ts';

/** Maximum number of rows; deliveries that succeeded at the first attempt are omitted first. */
const MOST = 200;

type ReceiverDelivery = readonly [ReportAttempt, ...ReportAttempt[]];

export function deliveriesTable({ name, attempts }: ReportReceiver): Html {
  const deliveries = byEvent(attempts);
  const rough = deliveries.filter((tries) => tries.length > 1 || tries[0].result !== 'delivered');
  const smooth = deliveries.filter((tries) => !rough.includes(tries));
  const shown = [...rough, ...smooth].slice(0, MOST).sort(([a], [b]) => a.t - b.t);
  const lost = deliveries.filter((tries) => tries.at(-1)?.result === 'lost').length;
  const more = deliveries.length - shown.length;
  return html`<details${rough.length > 0 ? new Html(' open') : null}><summary><b>${name}</b>: ${many(deliveries.length, 'event')}, ${many(attempts.length, 'attempt')}, ${lost} lost</summary>
<div class="wide" tabindex="0"><table><thead><tr><th>at</th><th>event</th><th>tries: what came back, and when from the event</th></tr></thead><tbody>${shown.map(row)}</tbody></table></div>${more > 0 ? html`<p class="dim">And ${more} more that were taken at the first try.</p>` : null}</details>`;
}

const many = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function byEvent(attempts: readonly ReportAttempt[]): ReceiverDelivery[] {
  const found = new Map<string, [ReportAttempt, ...ReportAttempt[]]>();
  for (const attempt of attempts) {
    const tries = found.get(attempt.eventId);
    if (tries === undefined) found.set(attempt.eventId, [attempt]);
    else tries.push(attempt);
  }
  return [...found.values()];
}

const row = (tries: ReceiverDelivery): Html =>
  html`<tr><td><time>${formatClockTime(tries[0].t - tries[0].offsetMs)}</time></td><td>${tries[0].eventType}<br><small>${tries[0].eventId}</small></td><td>${tries.map(attemptMark)}</td></tr>`;

const attemptMark = ({ try: tries, offsetMs, result, status, signatures }: ReportAttempt): Html =>
  html`<span class="attempt ${result}" title="try ${tries}, ${signatures} signature(s), ${result}">${status ?? 'no answer'} <small>+${formatDuration(Math.round(offsetMs))}</small></span> `;
