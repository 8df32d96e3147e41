/** The page of one evacuation: its banner, its points, who is missing, and what the control room did. [spec 2 Muster] */

import type { Instant } from '../base/clock.ts';
import { Html, html } from '../base/html.ts';
import { formatInstant } from '../base/instants.ts';
import { missingIn, musterView } from '../domain/views/muster.ts';
import type { Muster } from '../domain/world/documents.ts';
import type { World } from '../domain/world/world.ts';

/** A page is read by a person: the rest of a long list is told as a number. */
const MOST_MISSING = 500;

export const titleOfMuster = ({ kind, site, status }: Muster): string =>
  `${kind[0]?.toUpperCase()}${kind.slice(1)} muster at ${site.name}${status === 'active' ? '' : ` (${status})`}`;

export function musterPage(world: World, muster: Muster, now: Instant): Html {
  const { totals, assembly_points, deadline, origin, ...shown } = musterView(muster);
  const facts: [string, string][] = [
    ['Status', `${shown.status}, ${shown.phase}`],
    ['Reason', shown.reason ?? '-'],
    ['Started', shown.started_at],
    ['Ended', shown.ended_at ?? '-'],
    ['Deadline', deadline === null ? '-' : `${deadline.at} (${deadline.source})`],
    [
      'Origin',
      origin === null
        ? '-'
        : `${origin.zone?.name ?? `${origin.latitude}, ${origin.longitude}`}, ${origin.radius_m} m${origin.label === null ? '' : `: ${origin.label}`}`,
    ],
    ['Targets revision', String(shown.targets_revision)],
  ];
  const counters = Object.entries(totals).map(([name, people]) => html`<td>${name.replace('_', ' ')} ${people ?? '-'}`);
  const points = assembly_points.map(
    ({ name, status, count, excluded }) =>
      html`<tr><td>${name}<td>${status}<td>${count ?? '-'}<td>${excluded === null ? '' : `${excluded.reason} (${excluded.by}${excluded.recommended ? ', as recommended' : ''})`}</tr>`,
  );
  const lines = muster.timeline.map(
    ({ at, what, by, reason }) => html`<tr><td>${formatInstant(at)}<td>${what}<td>${by ?? ''}<td>${reason ?? ''}</tr>`,
  );
  return html`<p><a href="/panel">Control room</a></p>
<table><tr>${counters}</tr></table>
<dl>${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
<h2>Assembly points</h2><table><tr><th>Point<th>Status<th>Safe<th>Excluded</tr>${points}</table>
${muster.status === 'active' ? missingTable(world, muster, now) : new Html('')}
<h2>Timeline</h2><table><tr><th>Time<th>What<th>Who<th>Reason</tr>${lines}</table>`;
}

function missingTable(world: World, muster: Muster, now: Instant): Html {
  // The panel is a panel user's view: it shows names. [decisions 4]
  const panelUser = { organizationId: muster.organizationId, names: true, contractors: null };
  const missing = missingIn(world, muster, panelUser, now);
  const rows = missing
    .slice(0, MOST_MISSING)
    .map(
      ({ person, worker, lastSeenAt, needsRescue }) =>
        html`<tr><td>${worker.name}<td>${worker.contractor ?? ''}<td class="${person.status === 'help' || needsRescue ? 'critical' : ''}">${person.status}${person.helpReason === null ? '' : `: ${person.helpReason}`}${needsRescue ? ', needs rescue' : ''}<td>${lastSeenAt === null ? '-' : formatInstant(lastSeenAt)}</tr>`,
    );
  const rest = missing.length - rows.length;
  return html`<h2>Missing</h2><table><tr><th>Worker<th>Contractor<th>Status<th>Last seen</tr>${rows}</table>${rest > 0 ? html`<p>And ${rest} more.</p>` : new Html('')}`;
}
