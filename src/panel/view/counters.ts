/** Totals of the sandbox: people, alerts, musters, deliveries. */
import { type Html, html } from '../../base/html.ts';
import { NO_TALLY } from '../../watching/tallies.ts';
import { openAlerts, type PanelLook } from './scene.ts';

export function countersView({ world }: PanelLook): Html {
  const open = openAlerts(world, null);
  const critical = open.filter(({ severity }) => severity === 'critical').length;
  const active = [...world.musters.values()].filter(({ status }) => status === 'active');
  const safe = active.reduce((sum, { totals }) => sum + totals.safe, 0);
  const expected = active.reduce((sum, { totals }) => sum + totals.expected, 0);
  const tallies = [...world.destinations.keys()].map((id) => world.tallies.get(id) ?? NO_TALLY);
  const sum = (of: 'delivered' | 'failed' | 'lost'): number => tallies.reduce((all, tally) => all + tally[of], 0);
  const waiting = [...world.deliveries.values()].filter(({ state }) => state === 'waiting').length;
  const workers = [...world.workers.values()].filter(({ is_active }) => is_active).length;
  const located = [...world.people.values()].filter(({ location }) => location !== null).length;
  const cells: [string, string, string, string][] = [
    ['people', String(workers), `${located} on the map`, ''],
    ['open alerts', String(open.length), `${critical} critical`, critical > 0 ? 'rescue' : ''],
    ['active musters', String(active.length), active.length === 0 ? '' : `${safe} of ${expected} safe`, ''],
    ['deliveries', String(sum('delivered')), `to ${world.destinations.size} destinations, ${waiting} wait`, ''],
    ['failed attempts', String(sum('failed')), `${sum('lost')} deliveries lost`, sum('lost') > 0 ? 'rescue' : ''],
  ];
  return html`<dl class="totals">${cells.map(([name, figure, more, rank]) => html`<div class="${rank}"><dt>${name}</dt><dd>${figure} <small>${more}</small></dd></div>`)}</dl>`;
}
