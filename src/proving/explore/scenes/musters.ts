/** Scenes of musters: their phases, their ends, and disturbances meanwhile. */
import { BY, type Drawing } from '../moves.ts';
import {
  apiAway,
  disturbed,
  end,
  faulty,
  OUTLASTED,
  receiverAway,
  resolve,
  type Scene,
  SHORT,
  sos,
  start,
  wait,
} from './steps.ts';

/** A muster at a site with an assembly point, and the people of the site. */
function mustered(draw: Drawing, kind = 'general') {
  const site = draw.one(draw.plant.sites.filter((name) => draw.pointsOf(name).length > 0));
  const muster = draw.fresh('m');
  const named = draw.plant.sites.length > 1 ? { site } : {};
  return { site, muster, begin: start(kind, named, muster), people: draw.peopleAt(site) };
}

export const MUSTER_SCENES = {
  // `muster.ended` is delivered after the next muster of the site has started.
  lateEndOfMuster: (draw) => {
    const { muster, begin, site } = mustered(draw);
    const named = draw.plant.sites.length > 1 ? { site } : {};
    return [
      begin,
      { receiver: { name: draw.receiver(), does: 503 }, for: '3s', after: '10s' },
      end(muster, draw.one(['cancelled', 'completed']), '1s'),
      { ...start(draw.one(['general', 'tsunami']), named, draw.fresh('m')), after: '5s' },
      wait('5m'),
    ];
  },
  musterLife: (draw) => {
    const { site, muster, begin, people } = mustered(draw);
    const [point = ''] = draw.pointsOf(site);
    const [one = '', ...rest] = people;
    const fields = { muster: `$${muster}`, by: BY };
    const excludes =
      draw.pointsOf(site).length > 1
        ? [
            { exclude_point: { ...fields, point, reason: 'Smoke' }, after: '20s' },
            { reinstate_point: { ...fields, point }, after: '30s' },
          ]
        : [];
    return [
      begin,
      ...excludes,
      { mark_safe: { ...fields, who: one }, after: '40s' },
      ...(rest.length === 0 ? [] : [{ mark_safe: { ...fields, who: rest }, after: '40s' }]),
      { inspect: fields, after: '1m' },
      end(muster, 'completed', '2m'),
      wait('1m'),
    ];
  },
  musterInspected: (draw) => {
    const { muster, begin, people } = mustered(draw);
    const fields = { muster: `$${muster}`, by: BY };
    return [
      begin,
      { mark_safe: { ...fields, who: people }, after: '20s' },
      { inspect: fields, after: '20s' },
      wait('5m'),
    ];
  },
  musterCancelled: (draw) => {
    const { muster, begin } = mustered(draw, draw.one(['general', 'tsunami']));
    return [begin, end(muster, 'cancelled', draw.one(SHORT)), wait('2m')];
  },
  musterChanges: (draw) => {
    const { muster, begin } = mustered(draw, draw.one(['general', 'earthquake']));
    const change = { change_kind: { muster: `$${muster}`, to: 'tsunami', by: BY }, after: draw.one(SHORT) };
    return [begin, change, wait('3m')];
  },
  musterDisturbed: (draw) => {
    const { site, muster, begin, people } = mustered(draw);
    const fields = { muster: `$${muster}`, by: BY };
    const disturb = draw.one([
      disturbed({ shuffle: '5m' }),
      disturbed({ duplicate: 2 }),
      disturbed({ hold: '2m' }),
      faulty(503),
    ])(draw);
    return [
      disturb,
      begin,
      { change_kind: { ...fields, to: 'tsunami' }, after: '2s' },
      { cannot_evacuate: { who: draw.one(people), reason: 'trapped' }, after: '2s' },
      { exclude_point: { ...fields, point: draw.one(draw.pointsOf(site)), reason: 'Smoke' }, after: '2s' },
      ...(draw.stream.chance(0.5) ? [end(muster, draw.one(['completed', 'cancelled']), '2s')] : []),
      wait('10m'),
    ];
  },
  // Deliveries about what changed arrive after the end.
  musterOvertaken: (draw) => {
    const { site, muster, begin, people } = mustered(draw);
    const fields = { muster: `$${muster}`, by: BY };
    const refused = Array.from({ length: draw.one([2, 3, 3, 4]) }, () => 503);
    const away = draw.stream.chance(0.5) ? [apiAway(draw, '15s')] : [];
    return [
      begin,
      wait(draw.one(['3s', '14s', '20s'])),
      ...away,
      { receiver: { name: draw.receiver(), does: [...refused, 'ok'] } },
      { exclude_point: { ...fields, point: draw.one(draw.pointsOf(site)), reason: 'Smoke' } },
      { change_kind: { ...fields, to: 'tsunami' }, after: '300ms' },
      { mark_safe: { ...fields, who: people }, after: '300ms' },
      end(muster, draw.one(['completed', 'cancelled']), '1s'),
      wait('3m'),
    ];
  },
  // The contact is lost while a muster goes on, and something happens just after it has come back.
  musterInOutage: (draw) => {
    const { site, muster, begin, people } = mustered(draw);
    const fields = { muster: `$${muster}`, by: BY };
    const isWhole = draw.stream.chance(0.3);
    return [
      begin,
      // Once all are safe, the muster has no further event by which a system could learn of it again.
      { mark_safe: { ...fields, who: people }, after: '5s' },
      wait('20s'),
      apiAway(draw, '20s'),
      ...(isWhole ? [receiverAway(draw, '20s')] : []),
      { exclude_point: { ...fields, point: draw.one(draw.pointsOf(site)), reason: 'Smoke' }, after: '2s' },
      { sos: { who: draw.who() }, after: '2s' },
      { call_request: { who: draw.who() }, after: '2s' },
      OUTLASTED,
      wait('16s'),
      { call_request: { who: draw.who() } },
      wait('1m'),
      end(muster, 'completed', '40s'),
      wait('2m'),
    ];
  },
  musterNeedsHelp: (draw) => {
    const { muster, begin, people } = mustered(draw);
    return [
      begin,
      { cannot_evacuate: { who: draw.one(people), reason: draw.one(['trapped', 'injured']) }, after: '20s' },
      wait('2m'),
      end(muster, 'completed', '1m'),
    ];
  },
  musterMissing: (draw) => {
    const { muster, begin, people } = mustered(draw);
    const fields = { muster: `$${muster}`, by: BY };
    const rescued = people.slice(0, 1);
    return [begin, wait('15m'), { mark_safe: { ...fields, who: rescued } }, wait('2m'), end(muster, 'completed', '2m')];
  },
  twoMusters: (draw) => {
    const sites = draw.plant.sites.filter((name) => draw.pointsOf(name).length > 0);
    const [first = '', second = ''] = [draw.one(sites), draw.one(sites.slice(1))];
    const [one, two] = [draw.fresh('m'), draw.fresh('m')];
    const other = first === second ? (sites[0] ?? '') : first;
    const ended = draw.one([one, two]);
    return [
      start('general', { site: other }, one),
      { ...start('general', { site: second }, two), after: '10s' },
      end(ended, draw.one(['completed', 'cancelled']), '1m'),
      wait('3m'),
    ];
  },
  secondMuster: (draw) => {
    const { muster, begin, site } = mustered(draw);
    const named = draw.plant.sites.length > 1 ? { site } : {};
    return [
      begin,
      end(muster, 'cancelled', '40s'),
      { ...start('general', named, draw.fresh('m')), after: '2m' },
      wait('3m'),
    ];
  },
  alertInMuster: (draw) => {
    const { begin } = mustered(draw);
    const alert = draw.fresh('a');
    return [begin, { ...sos(draw, alert), after: '20s' }, resolve(alert, '1m'), wait('2m')];
  },
} satisfies Readonly<Record<string, Scene>>;
