/** The controls of a report: a scrubber over simulated time, filters, and the help for keys. Hidden without scripts. */
import { type Html, html } from '../../../base/text/html.ts';
import { tenth } from '../../../watching/drawing/round.ts';
import type { RunReport } from '../report-data.ts';
import { timedSteps } from './timed-steps.ts';

/** Playback speeds: simulated seconds per second of wall time. */
const SPEEDS = [1, 5, 20, 60] as const;

/** The keyboard commands of the script, for the help. */
const KEYS = [
  ['← →', 'the event before, the next event'],
  ['k j', 'the step before, the next step'],
  ['p n', 'the failure before, the next failure'],
  ['Home End', 'the beginning, the end'],
  ['Space', 'play, pause'],
  ['+ −', 'play faster, slower'],
  ['?', 'open and close this list'],
] as const;

export function playerView(report: RunReport): Html {
  const { simulatedMs, verdict, scenario } = report.result;
  return html`<section class="player" aria-label="Player" hidden>
<div class="bar"><div class="controls"><p class="run"><span class="verdict ${verdict}">${verdict}</span> ${scenario}</p>
<button type="button" data-go="step-before" aria-label="Step before">« step</button><button type="button" data-go="event-before" aria-label="Event before">‹ event</button>
<button type="button" data-go="play" class="main">Play</button>
<button type="button" data-go="event-next" aria-label="Next event">event ›</button><button type="button" data-go="step-next" aria-label="Next step">step »</button>
${failureButton('before', '‹ failure', report)}${failureButton('next', 'failure ›', report)}
<label>Speed <select id="speed">${SPEEDS.map((speed) => html`<option value="${speed}"${speed === 20 ? html` selected` : null}>× ${speed}</option>`)}</select></label>
<time id="at">00:00:00.000</time>
</div>
<div class="scrubber">${ticks(report)}<input type="range" id="scrubber" min="0" max="${simulatedMs}" step="1" value="0" aria-label="Simulated time"></div></div>
<p id="instant" class="instant" role="status" aria-live="polite"></p>
<div class="filters" role="group" aria-label="Filters"><label>Worker <select id="filter-worker"><option value="">all</option></select></label><label>Alert <select id="filter-alert"><option value="">all</option></select></label><label>Receiver <select id="filter-receiver"><option value="">all</option></select></label>
<details id="keys"><summary>Keys</summary><div class="help"><dl>${KEYS.map(([keys, words]) => html`<div><dt>${keys.split(' ').map((key) => html`<kbd>${key}</kbd>`)}</dt><dd>${words}</dd></div>`)}</dl><label><input type="checkbox" id="single-keys" checked> letters and signs act without a modifier</label></div></details></div>
</section>`;
}

function failureButton(way: 'before' | 'next', text: string, { result }: RunReport): Html {
  const disabled = result.failures.length === 0 ? html` disabled` : null;
  const label = way === 'next' ? 'Next failure' : 'Failure before';
  return html`<button type="button" data-go="failure-${way}" class="to-failure" aria-label="${label}"${disabled}>${text}</button>`;
}

/** Steps and failures above the slider, in thousandths of its length. */
function ticks(report: RunReport): Html {
  const { simulatedMs, failures } = report.result;
  const place = (t: number): number => tenth((Math.min(t, simulatedMs) / Math.max(1, simulatedMs)) * 1_000);
  const steps = [...new Set(timedSteps(report).map(({ beganMs }) => place(beganMs)))];
  const failed = failures.map(({ atMs }) => place(atMs));
  return html`<svg class="ticks" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${steps.map((x) => html`<path class="tick-step" d="M${x} 5v5"/>`)}${failed.map((x) => html`<path class="tick-failure" d="M${x} 0v10"/>`)}</svg>`;
}
