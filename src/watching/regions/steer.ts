/** Forms for the muster of a site: start, change the kind, inspect, end. [spec 1.3] */
import { Html, html } from '../../base/text/html.ts';
import { actButton, actForm, choice, onDemand, textField } from './forms.ts';
import type { PanelReader, PanelScene } from './scene.ts';

const KINDS = [
  ['general', 'General'],
  ['tsunami', 'Tsunami'],
  ['earthquake', 'Earthquake'],
] as const;

/** Only a person may decide each of these. [spec 1.3] */
export function steerView({ site, active, reader }: PanelScene): Html {
  if (!reader.acts) return new Html('');
  if (active === null) return html`<div class="steer">${startForm(site, reader)}</div>`;
  const muster = { muster: active.id };
  const missing = active.totals.expected - active.totals.safe;
  const others = KINDS.filter(([kind]) => kind !== active.kind);
  const kind = onDemand(
    reader,
    'kind',
    'Change the kind',
    actForm(
      reader,
      { action: 'change_kind', ...muster },
      html`${choice('to', 'To', others)}${textField('deadline', 'Deadline', { most: 30, hint: '30m, or a time; else the plan’s' })}<button class="primary">Change</button>`,
    ),
  );
  const inspect =
    active.phase === 'inspecting' || missing > 0
      ? new Html('')
      : actButton(reader, { action: 'inspect', ...muster }, 'Inspect the plant');
  const end = onDemand(
    reader,
    'end',
    'End the muster',
    actForm(
      reader,
      { action: 'end_muster', ...muster },
      html`<p>${missing === 0 ? 'Everybody is safe.' : `${missing} of ${active.totals.expected} are not safe. Nobody is counted after the end.`}</p>${choice(
        'outcome',
        'As',
        [
          ['completed', 'Completed'],
          ['cancelled', 'Cancelled'],
        ],
      )}<button class="danger">End it</button>`,
    ),
  );
  return html`<div class="steer">${inspect}${kind}${end}</div>`;
}

function startForm(site: PanelScene['site'], reader: PanelReader): Html {
  const zones = site.zones.filter(({ type }) => type !== 'assembly_point').map(({ id, name }) => [id, name] as const);
  return onDemand(
    reader,
    'start',
    'Start a muster',
    actForm(
      reader,
      { action: 'start_muster', site: site.id },
      html`${choice('kind', 'Kind', KINDS)}${textField('reason', 'Reason', { most: 500, hint: 'H2S alarm, tank 4' })}${choice('origin.zone', 'Away from', [['', 'nothing'], ...zones])}<label>Radius, m <input type="number" name="origin.radius_m" min="0" max="100000" value="50"></label>${textField('deadline', 'Deadline', { most: 30, hint: '30m, or a time; else the plan’s' })}<button class="danger">Start the muster</button>`,
    ),
  );
}
