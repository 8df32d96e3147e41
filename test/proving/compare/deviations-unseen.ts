/** Deviating builds from the specification and the decisions alone: their author has seen neither the comparison nor its tests. */
import type { Body, Patch, TrueAnswer } from './deviating-service.ts';
import { alerts, type Deviating, decided, EMPTY, each, header, ignored, list, musters, spec } from './patches.ts';

const MISSING = /^\/v1\/musters\/[^/]+\/missing$/;
const ZONES = /^\/v1\/sites\/[^/]+\/zones$/;

const isRefusal = ({ status, path, body }: TrueAnswer): boolean =>
  status >= 400 && path !== '/v1/oauth/token' && typeof body?.code === 'string';

/** Another problem in the place of the true one: its type, code, title and status agree with each other. */
const problem = (body: Body, status: number, code: string, title: string): Body => {
  const { errors: _, ...rest } = body;
  const type = String(body.type).replace(/[^/]*$/, code.replaceAll('_', '-'));
  return { ...rest, type, title, status, code };
};

/** The page without any filter in the place of a refusal (empty where it was not asked for yet). */
function accepted(path: string, fits: (answer: TrueAnswer) => boolean): Patch {
  let whole: Body = { data: [] };
  return (answer) => {
    if (answer.path !== path || answer.method !== 'GET') return undefined;
    if (answer.status === 200 && answer.query.size === 0) whole = answer.body;
    return isRefusal(answer) && fits(answer) ? { ...EMPTY, body: whole } : undefined;
  };
}

/** The entries of each missing list. */
const missing =
  (change: (data: Body[]) => Body[]): Patch =>
  ({ method, path, status, body }) =>
    method === 'GET' && status === 200 && MISSING.test(path)
      ? { body: { ...body, data: change(body.data) } }
      : undefined;

const byTime = (a: string, b: string): number => Date.parse(a) - Date.parse(b) || 0;

const SQUARE = [
  [0, 0],
  [0.001, 0],
  [0.001, 0.001],
  [0, 0.001],
  [0, 0],
];

function privacyGeometry(): Patch {
  let shape: Body = { type: 'Polygon', coordinates: [SQUARE] };
  return each(ZONES, (zone) => {
    if (zone.geometry !== null) shape = zone.geometry;
    else if (zone.type === 'privacy') zone.geometry = structuredClone(shape);
  });
}

const MEDIUM = new Set([
  'restricted_zone_entry',
  'permit_expired_inside',
  'permit_closed_inside',
  'worker_call_request',
  'device_offline',
]);

/** The filter `min_severity` follows the wrong severity, so that the severity alone is wrong. */
const lowered: Patch = (answer) => {
  const changed = alerts((alert) => {
    if (MEDIUM.has(alert.type)) alert.severity = 'low';
  })(answer);
  const least = answer.query.get('min_severity');
  if (changed === undefined || answer.path !== '/v1/alerts' || least === null || least === 'low') return changed;
  const { body } = changed;
  return { body: { ...body, data: body.data.filter((alert: Body) => alert.severity !== 'low') } };
};

/** Each page after the first begins with the last item of the page before. */
function overlapping(path: string): Patch {
  const before = new Map<string, Body>();
  return (answer) => {
    const { method, status, query, body } = answer;
    if (answer.path !== path || method !== 'GET' || status !== 200) return undefined;
    if (body.next_cursor !== null) before.set(body.next_cursor, body.data.at(-1));
    const last = before.get(query.get('cursor') ?? '');
    if (last === undefined) return undefined;
    return { body: { ...body, data: [last, ...body.data].slice(0, Number(query.get('limit') ?? 50)) } };
  };
}

/** The missing list of an ended muster: the people of the active one, or some watches where it was not read yet. */
function stillMissing(): Patch {
  let kept: Body[] = [];
  return ({ method, path, status, body }) => {
    if (method !== 'GET' || status !== 200) return undefined;
    if (path === '/v1/devices' && kept.length === 0) {
      kept = body.data
        .filter((device: Body) => device.worker !== null)
        .slice(0, 1)
        .map(({ id, serial, battery, date_last_seen, worker }: Body) => ({
          worker,
          device: { id, serial, battery, date_last_seen },
          status: 'no_signal',
          needs_rescue: false,
          help_reason: null,
          assembly_point: null,
          declared_at: null,
          last_seen_at: date_last_seen,
          location: null,
          location_withheld: false,
        }));
    }
    if (!MISSING.test(path)) return undefined;
    if (body.data.length > 0) kept = body.data;
    return body.data.length === 0 && kept.length > 0 ? { body: { ...body, data: kept } } : undefined;
  };
}

/** The whole list where the filter matches nothing. */
function allForNone(path: string, filter: string): Patch {
  let whole: Body[] = [];
  return list(path, (data, { query }) => {
    const names = [...query.keys()].filter((name) => name !== 'limit');
    if (names.length === 0 && data.length > whole.length) whole = data;
    return names.join() === filter && data.length === 0 ? whole : undefined;
  });
}

/** `false` is taken for an absent value. */
function falseIgnored(path: string, name: string): Patch {
  const all = ignored(path, name);
  return (answer) => (answer.query.get(name) === 'true' ? undefined : all(answer));
}

/** One call, after the first refusal, is refused for its rate; a client that waits goes on as before. */
function refusedOnce(retryAfter: () => string): Patch {
  let known: Body;
  let done = false;
  return (answer) => {
    if (done || answer.method !== 'GET') return undefined;
    if (known === undefined) {
      if (isRefusal(answer)) known = answer.body;
      return undefined;
    }
    done = true;
    const headers = { 'content-type': 'application/problem+json', 'retry-after': retryAfter() };
    const { detail: _, ...body } = problem(known, 429, 'rate_limited', 'Too many requests');
    return { status: 429, headers, body: { ...body, instance: answer.path } };
  };
}

export const DEVIATIONS_UNSEEN: readonly Deviating[] = [
  // "Unknown query parameters get 422 `validation_failed`: a misspelt filter must not look like 'no filter'."
  decided(
    'GET /v1/sites ignores a query parameter that it does not know',
    '[decisions 1, Unknown query parameters]',
    accepted('/v1/sites', ({ status }) => status === 422),
  ),

  // "null for privacy zones, which expose only name and type"
  spec('a privacy zone shows its geometry', '[spec 2 Zone]', privacyGeometry()),

  // "GeoJSON Polygon ... `coordinates` = array of rings": a ring ends with the position that it begins with (RFC 7946 3.1.6)
  spec(
    'the rings of a zone are not closed: the last position is not repeated',
    '[spec 2 Zone]',
    each(ZONES, ({ geometry }) => {
      for (const ring of geometry?.coordinates ?? []) ring.pop();
    }),
  ),

  // "`acknowledged` is filled with `at` and `by`"
  spec(
    'an alert whose status is acknowledged does not say when and by whom',
    '[spec 3]',
    alerts((alert) => {
      if (alert.status === 'acknowledged') alert.acknowledged = null;
    }),
  ),

  // The column Severity: `medium` for these types
  decided(
    'alerts of the medium types (zones, permits, calls, silent watches) have the severity low',
    '[decisions 5]',
    lowered,
    'severities',
  ),

  // "`title` is '<Type in words>: <worker name> in <zone>'"
  decided(
    'the title of an alert has a dash in the place of the colon after its type',
    '[decisions 5]',
    alerts((alert) => {
      alert.title = alert.title.replace(': ', ' - ');
    }),
    'title-form',
  ),

  // "Who was within 100 m when a critical alert (SOS, fall) fired."
  spec(
    'an alert that is not critical lists a vehicle in nearby',
    '[spec 2 Nearby]',
    alerts((alert) => {
      if (alert.severity === 'critical' || alert.worker === null || alert.location?.masked === true) return;
      const worker = alert.date_created < '2026-09-24' ? { ...alert.worker, id: null } : alert.worker;
      const reported_at = alert.date_created;
      alert.nearby = [{ kind: 'vehicle', worker, vehicle_type: 'forklift', distance_m: 40, reported_at }];
    }),
  ),

  // "A traversal of the pages therefore neither skips nor repeats an item"
  decided(
    'each page of alerts begins with the last alert of the page before',
    '[decisions 1, Keyset]',
    overlapping('/v1/alerts'),
  ),

  // "What an alert refers to (site, zone, worker, device with battery and last seen) is frozen at the alert's last change. The stored object, the event and the GET response are therefore equal."
  decided(
    'GET of an alert shows another battery of its watch than the event of its last change',
    '[spec 2 Event]',
    each(/^\/v1\/alerts/, ({ device }) => {
      if (typeof device?.battery === 'number') device.battery += device.battery > 0 ? -1 : 1;
    }),
    'frozen-references',
  ),

  // "`count` integer or null (people safe at this point"
  spec(
    'an assembly point of an active muster counts more people safe than the whole muster',
    '[spec 2 AssemblyPoint]',
    musters(({ status, totals, assembly_points }) => {
      const point = assembly_points.find((one: Body) => one.status === 'available' && one.count !== null);
      if (status === 'active' && point !== undefined) point.count = totals.safe + 1;
    }),
  ),

  // "In a closed muster only what was recorded at closing remains (arrived and total); the other counters are null."
  spec(
    'the counters that a closed muster does not keep are 0 and not null',
    '[spec 2 Muster]',
    musters(({ status, totals }) => {
      if (status === 'active') return;
      for (const name of ['help', 'wrong_point', 'pending', 'no_signal', 'not_worn']) totals[name] ??= 0;
    }),
  ),

  // "excluded | ... | `excluded` filled"
  spec(
    'an excluded assembly point does not say why, when and by whom',
    '[spec 2 AssemblyPoint]',
    musters(({ assembly_points }) => {
      const points: Body[] = assembly_points;
      const last = points.at(-1);
      if (points.length > 1 && points.every(({ status }) => status === 'available')) {
        last.status = 'excluded';
        if (last.count !== null) last.count = 0;
      }
      for (const point of points) if (point.status === 'excluded') point.excluded = null;
    }),
  ),

  // "ended_at | date-time or null", "All fields are required."
  spec(
    'an active muster has no key ended_at',
    '[spec 2]',
    musters((muster) => {
      if (muster.status === 'active') delete muster.ended_at;
    }),
  ),

  // "`targets_revision` increases by 1 (it starts at 1)."
  decided(
    'the revision of the targets of a muster starts at 0',
    '[spec 2 Muster]',
    musters((muster) => {
      muster.targets_revision -= 1;
    }),
  ),

  // "`validation_failed` | 422 | a body or query value breaks its rule"
  decided('GET /v1/musters answers a status that does not exist with an empty page', '[decisions 2]', (answer) =>
    answer.path === '/v1/musters' && isRefusal(answer) && answer.status === 422 && answer.query.has('status')
      ? { ...EMPTY, body: { data: [], next_cursor: null } }
      : undefined,
  ),

  // "`not_found` | 404 | no such route or resource; an alert, muster, ... of another company"
  decided('the missing list of a muster that does not exist is an empty list', '[decisions 2]', (answer) =>
    MISSING.test(answer.path) && isRefusal(answer) && answer.status === 404
      ? { ...EMPTY, body: { data: [] } }
      : undefined,
  ),

  // "status `help` first, then by `last_seen_at`: null first, then oldest first"
  decided(
    'the missing list has those seen most recently first (help and never seen still come before)',
    '[decisions 1]',
    missing((data) =>
      data.sort((a, b) => {
        if ((a.status === 'help') !== (b.status === 'help')) return a.status === 'help' ? -1 : 1;
        if ((a.last_seen_at === null) !== (b.last_seen_at === null)) return a.last_seen_at === null ? -1 : 1;
        return byTime(b.last_seen_at, a.last_seen_at);
      }),
    ),
  ),

  // "`needs_rescue` boolean (an open SOS or fall and not arrived)"
  spec(
    'every missing worker needs rescue, also those without an open SOS or fall',
    '[spec 2 MissingWorker]',
    missing((data) => data.map((entry) => ({ ...entry, needs_rescue: true }))),
  ),

  // "GET of the muster and of the missing list show the last headcount." "The statuses of the missing list are as of the last headcount."
  decided(
    'the missing list calls those no_signal whom the totals count as pending',
    '[spec 2 MissingWorker]',
    missing((data) => {
      const [from, to] = data.some(({ status }) => status === 'pending')
        ? ['pending', 'no_signal']
        : ['no_signal', 'pending'];
      return data.map((entry) => (entry.status === from ? { ...entry, status: to } : entry));
    }),
  ),

  // "Every action on an ended muster is refused. The muster keeps its phase. Its missing list is empty."
  decided('the missing list of an ended muster is not empty', '[decisions 6]', stillMissing(), 'muster-closing'),

  // "`date_last_seen` date-time or null (the later of last position and last watch contact)"
  spec(
    'a worker was last seen an hour before the last contact of the own watch',
    '[spec 2 Worker]',
    each(/^\/v1\/workers$/, (worker) => {
      const contact = worker.device?.date_last_seen ?? null;
      if (contact !== null) worker.date_last_seen = new Date(Date.parse(contact) - 3_600_000).toISOString();
    }),
  ),

  // The row of GET `/v1/workers`: the query has `is_active`
  decided(
    'GET /v1/workers?is_active=false lists all workers',
    '[decisions 1]',
    falseIgnored('/v1/workers', 'is_active'),
  ),

  // "No vital signs are exposed, not even aggregated."
  spec(
    'a device shows the pulse of its wearer',
    '[spec 1]',
    each(/^\/v1\/devices$/, (device) => {
      device.heart_rate_bpm = 84;
    }),
  ),

  // "`next_cursor` string or null, opaque; null when there is no more"
  spec('the next cursor of the last page of devices is an empty string', '[spec 2 Pages and lists]', (answer) =>
    answer.path === '/v1/devices' && answer.status === 200 && answer.body?.next_cursor === null
      ? { body: { ...answer.body, next_cursor: '' } }
      : undefined,
  ),

  // The row of GET `/v1/devices`: the query has `site_id`, `status`, `worn`
  decided(
    'a status of GET /v1/devices that matches nothing gives all devices',
    '[decisions 1]',
    allForNone('/v1/devices', 'status'),
  ),

  // "All times are written as `YYYY-MM-DDTHH:mm:ss.sssZ`."
  decided(
    'the time of a position has microseconds',
    '[decisions 1, Times]',
    each(/^\/v1\/positions$/, ({ location }) => {
      location.position_date_utc = location.position_date_utc.replace(/Z$/, '000Z');
    }),
  ),

  // "`site_not_accessible` | 403 | a site that the path, query or filter names does not belong to the client, whether or not the site exists"
  decided('GET /v1/positions answers a foreign site_id with an empty list', '[decisions 2]', (answer) =>
    answer.path === '/v1/positions' && isRefusal(answer) && answer.body.code === 'site_not_accessible'
      ? { ...EMPTY, body: { data: [] } }
      : undefined,
  ),

  // "The location has `source: zone`, `masked: true`, `uncertainty_m: null` and `height: null`."
  decided(
    'a masked position keeps an uncertainty',
    '[decisions 4, Privacy zone]',
    list('/v1/positions', (data) => {
      const masked = data.filter(({ location }) => location.masked);
      for (const { location } of masked.length > 0 ? masked : data.slice(0, 1)) {
        Object.assign(location, { source: 'zone', masked: true, uncertainty_m: 5, height: null });
      }
      return data;
    }),
  ),

  // "The full object exactly as the matching `GET` would return it at that instant."
  spec(
    'the event alert.resolved carries the alert as it was before it was resolved',
    '[spec 6]',
    each(/^\/v1\/events$/, ({ type, data: { alert } }) => {
      if (type !== 'alert.resolved') return;
      alert.status = alert.acknowledged === null ? 'unacknowledged' : 'acknowledged';
      alert.resolved = null;
    }),
  ),

  // "`id` ... Used to deduplicate (delivery is at-least-once)."
  spec(
    'the id of an event is that of its alert or muster, so that the events of one object share it',
    '[spec 6]',
    each(/^\/v1\/events$/, (event) => {
      event.id = (event.data.alert ?? event.data.muster).id;
    }),
  ),

  // "`created_at` strictly increases per organization, by at least 1 ms and in commit order."
  decided(
    'created_at of events is cut to the day, so that several events have the same',
    '[decisions 1, Order of events]',
    each(/^\/v1\/events$/, (event) => {
      event.created_at = `${event.created_at.slice(0, 10)}T00:00:00.000Z`;
    }),
  ),

  // "`*_after` and `*_since` are inclusive."
  decided(
    'created_after of GET /v1/events is exclusive',
    '[decisions 1]',
    list('/v1/events', (data, { query }) => {
      const bound = query.get('created_after');
      return bound === null ? undefined : data.filter(({ created_at }) => Date.parse(created_at) !== Date.parse(bound));
    }),
    'time-bounds',
  ),

  // "The creation response adds `secret` (string starting `whsec_`), delivered only once."
  spec(
    'the list of webhook destinations shows their secrets',
    '[spec 4]',
    each(/^\/v1\/webhooks$/, (destination) => {
      destination.secret = `whsec_${destination.id.replaceAll('-', '')}`;
    }),
  ),

  // "`failing_since` is null while the destination is healthy. It is set at the first failed attempt after a success"
  decided(
    'failing_since of a webhook destination is the year 1970, before the destination was made',
    '[decisions 7]',
    each(/^\/v1\/webhooks$/, (destination) => {
      destination.failing_since = '1970-01-01T00:00:00.000Z';
    }),
  ),

  // "`invalid_token` | 401 + `WWW-Authenticate: Bearer`"
  decided(
    'a refused token gets the challenge Basic',
    '[decisions 2]',
    header((answer) => isRefusal(answer) && answer.status === 401, 'www-authenticate', 'Basic realm="api"'),
  ),

  // "`pointer` is a JSON pointer into the body, or `?name` for a query parameter."
  decided(
    'the errors of a query point into the body: /limit in the place of ?limit',
    '[decisions 2, Validation problems]',
    (answer) => {
      if (!isRefusal(answer) || answer.method !== 'GET' || !Array.isArray(answer.body.errors)) return undefined;
      const errors = answer.body.errors.map((error: Body) => ({
        ...error,
        pointer: error.pointer.replace(/^\?/, '/'),
      }));
      return { body: { ...answer.body, errors } };
    },
  ),

  // "A wrong method on a known path gets 405 with `Allow`." (GET of `/v1/oauth/token`, `/v1/webhooks/{id}/test`)
  decided(
    'a wrong method is refused without the header Allow',
    '[decisions 1]',
    header(({ status }) => status === 405, 'allow', null),
  ),

  // "`malformed_request` | 400 | a request line, header or %-encoding that is not valid HTTP"
  decided('a %-encoding that is not valid gets 404', '[decisions 2]', (answer) =>
    isRefusal(answer) && answer.body.code === 'malformed_request'
      ? { status: 404, body: problem(answer.body, 404, 'not_found', 'Not found') }
      : undefined,
  ),

  // "`rate_limited`, `query_time_exceeded` | 429 + `Retry-After` (whole seconds, at least 1)"
  decided(
    'Retry-After of a 429 is a date and not a number of seconds',
    '[spec 8]',
    refusedOnce(() => new Date(Date.now() + 1000).toUTCString()),
  ),
];
