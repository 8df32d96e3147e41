/** The simulated clock in the header: the time, its pace, and the forms that set it. [decisions 9] */
import { Html, html } from '../../base/text/html.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { dayTime } from '../state/words.ts';
import { onDemand, textField } from './forms.ts';
import type { PanelLook } from './scene.ts';

export const clockView = ({ world, now }: PanelLook): Html => {
  const iso = formatInstant(now);
  const { speed, paused } = world.clock ?? { speed: 1, paused: false };
  const pace = paused ? 'paused' : speed === 1 ? '' : `× ${speed}`;
  return html`<time datetime="${iso}" title="Simulated time, UTC"><span class="day">${iso.slice(0, 10)} </span>${dayTime(iso)}</time> <span class="pace${paused ? ' paused' : ''}">${pace}</span>`;
};

/** Simulated seconds in a second. */
const SPEEDS = [1, 10, 60, 600] as const;

const clockForm = (inside: Html): Html =>
  html`<form method="post" action="/panel/clock" class="act" data-act>${inside}</form>`;

/** Empty for a reader who may not set the clock. Advancing asks first, because time does not go back. */
export function clockControls({ world: { clock }, reader }: PanelLook): Html {
  if (reader.setsClock !== true || clock === null) return new Html('');
  const { speed, paused } = clock;
  const pause = paused
    ? html`<button name="resume" value="true">Resume<span class="hidden"> the clock</span></button>`
    : html`<button name="pause" value="true">Pause<span class="hidden"> the clock</span></button>`;
  const speeds = SPEEDS.map(
    (one) => html`<button name="speed" value="${one}" aria-pressed="${String(one === speed)}">× ${one}</button>`,
  );
  const faster = onDemand(
    reader,
    'speed',
    `× ${speed}`,
    clockForm(html`<p>Simulated seconds in a second:</p>${speeds}`),
    'the speed of the clock',
  );
  const advance = onDemand(
    reader,
    'advance',
    'Advance',
    clockForm(
      html`<p>All that is due in this time happens at once. Time does not go back.</p>${textField('advance', 'By', { most: 20, required: true, value: '15m', hint: '15m, 8h' })}<button class="primary">Yes, advance</button>`,
    ),
    'the clock',
  );
  return html`${clockForm(pause)}${faster}${advance}`;
}
