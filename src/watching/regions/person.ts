/** One person: place, status, watch, and actions. [decisions 4, 9] */

import { Html, html } from '../../base/text/html.ts';
import { PERSON_TERMS } from '../../contract/resources/vocabulary.ts';
import type { PersonRow } from '../state/people.ts';
import { reasonTerm } from '../state/people.ts';
import { actButton, actForm, markSafe, onDemand, textField } from './forms.ts';
import { type PanelScene, rowSign, timeOf } from './scene.ts';

export function personView({ site }: PanelScene, row: PersonRow): Html {
  const { worker, person } = row;
  const { location } = person;
  const facts: [string, Html][] = [
    [
      'Status',
      html`${rowSign(row)}${row.rescue ? `, ${PERSON_TERMS.rescue.word}` : ''}${hasMore(row) && person.reason !== null ? `, ${reasonTerm(person.reason).word}` : ''}`,
    ],
    ['Last place', html`${row.placeWords}`],
    ['Last seen', timeOf(person.date_last_seen)],
    ['Code', html`${row.code}`],
    ['Role', html`${worker.role ?? '-'}`],
    ['Contractor', html`${worker.contractor ?? '-'}`],
    ['Site', html`<a href="/panel/sites/${site.id}">${site.name}</a>`],
    [
      'Watch',
      html`${person.worn === null ? 'never heard' : person.worn ? 'worn' : 'not worn'}${person.battery === null ? '' : `, battery ${person.battery} %`}${person.in_vehicle ? ', in a vehicle' : ''}`,
    ],
    [
      'Position',
      location === null
        ? html`${row.placeWords}`
        : html`${location.latitude}, ${location.longitude} (${location.uncertainty_m === null ? 'uncertainty unknown' : `± ${location.uncertainty_m} m`}, ${location.source}) at ${timeOf(location.position_date_utc)}`,
    ],
  ];
  return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** True if the reason says more than the status: somebody who is safe has an open alert. */
const hasMore = ({ status, person: { reason } }: PersonRow): boolean => status === 'safe' && reason !== 'safe';

export function personActions({ active, site, reader }: PanelScene, row: PersonRow): Html {
  if (!reader.acts) return new Html('');
  const who = { who: row.id };
  const safe =
    active === null || row.status === 'safe'
      ? html``
      : markSafe(reader, active.id, row.id, row.worker.name ?? row.code);
  const sos = actButton(reader, { action: 'panel_sos', ...who }, 'Raise an SOS');
  const unveil =
    site.privacy_mode === 'on_demand'
      ? onDemand(
          reader,
          'unveil',
          'Approve a position request',
          actForm(
            reader,
            { action: 'unveil', ...who },
            html`${textField('duration', 'For', { most: 20, value: '15m' })}<button class="primary">Approve</button>`,
          ),
        )
      : html``;
  return html`<div class="actions">${safe}${sos}${unveil}</div>`;
}
