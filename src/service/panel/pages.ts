/** The pages behind `panel_url`: a panel user's view of the sites, one alert or one muster, and the actions there. [spec 2 panel_url, decisions 10] */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CLI } from '../../base/text/command-form.ts';
import { Html, html, rootOf } from '../../base/text/html.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { StreamSnapshot } from '../../contract/stream.ts';
import { secretQuestion } from '../../watching/regions/forms.ts';
import { PANEL_LINKS, type PanelLook } from '../../watching/regions/scene.ts';
import { stripView } from '../../watching/regions/strip.ts';
import { afterSnapshot, EMPTY_STATE, type StreamState } from '../../watching/state/state.ts';
import { newTicket } from '../domain/access/ticket.ts';
import { courseOf } from '../domain/musters/course.ts';
import type { World as Plant } from '../domain/world/world.ts';
import { PanelAccess, type PanelAccessParts } from './access.ts';
import { readReport } from './after-action/after-action.ts';
import { courseCsv, peopleCsv, timelineCsv } from './after-action/exports.ts';
import { REPORT_POLICY, reportPage } from './after-action/page.ts';
import type { AfterAction } from './after-action/record.ts';
import { loadAssets, send, serveAssets } from './assets.ts';
import { type ActionReply, type PerformAction, perform } from './do.ts';
import { enterForm, livePage, type PanelPage, plainPage } from './document.ts';
import { closeInbox, type InboxParts, openInbox, receive, sendTest } from './inbox.ts';
import { readCalls, readDeliveries } from './logs.ts';
import { callsPage, callsPart } from './pages/calls.ts';
import { deliveriesPage, deliveriesPart, destinationSecrets } from './pages/deliveries.ts';
import { type FirstClient, type Landing, landingPage, runsView, secretsView } from './pages/landing.ts';
import { musterPage, musterPart } from './pages/muster.ts';
import { alertPage, alertPart, alertsPage, mustersPage, overviewPage, sitePage } from './pages/overview.ts';
import { personPage, personPart } from './pages/person.ts';
import { formOf, pathOf, placeBefore, placeIn, queryOf } from './requests.ts';
import { type PanelScenarios, type TryReply, tryOut } from './try.ts';
import { type TurnClock, turnClock } from './turn-clock.ts';

interface PanelParts extends PanelAccessParts, InboxParts {
  readonly clock: Clock;
  /** The state in the view of a panel user. */
  readonly snapshot: () => StreamSnapshot;
  /** Performs an action with the permissions of the control token. */
  readonly act: PerformAction;
  readonly turnClock: TurnClock;
  readonly scenarios: PanelScenarios;
  readonly mqttUrl: () => string;
  /** The credentials of the first client. */
  readonly credentials: () => FirstClient | null;
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

interface PageRequest {
  readonly look: PanelLook;
  readonly plant: Plant;
  readonly id: string;
  readonly query: URLSearchParams;
  readonly landing: () => Landing;
}

/** Returns a page, or a part that the browser fetches again. Null: 404. */
type PageHandler = (request: PageRequest) => PanelPage | Html | null;

const PAGES: Readonly<Record<string, PageHandler>> = {
  '/': ({ look, query, landing }) =>
    query.get('part') === 'runs' ? runsView(landing().runs, look.now) : landingPage(look, landing()),
  '/panel': ({ look, plant }) => overviewPage(look, plant),
  '/panel/sites/:id': ({ look, plant, id }) => {
    const muster = plant.indexes.activeMuster(id);
    return sitePage(look, id, muster === undefined ? [] : courseOf(plant, muster.id));
  },
  '/panel/people/:id': ({ look, plant, id, query }) =>
    query.has('part') ? personPart(plant, id, look.now) : personPage(look, plant, id),
  '/panel/alerts': ({ look, plant, query }) => alertsPage(look, plant, query),
  '/panel/alerts/:id': ({ look, plant, id, query }) => {
    const alert = plant.get('alert', id);
    return alert === undefined
      ? null
      : query.has('part')
        ? alertPart(look, alert, query.get('part') ?? '')
        : alertPage(look, alert);
  },
  '/panel/musters': ({ plant }) => mustersPage(plant),
  '/panel/musters/:id': ({ look, plant, id, query }) => {
    const muster = plant.get('muster', id);
    return muster === undefined
      ? null
      : query.has('part')
        ? musterPart(muster)
        : musterPage(look, muster, courseOf(plant, muster.id));
  },
};

/** Pages that show the logs, which are read from the store first. Requests for them are not logged. */
const LOG_PAGES: Readonly<
  Record<string, (parts: InboxParts, query: URLSearchParams, id: string) => Promise<PageHandler>>
> = {
  '/panel/deliveries': (parts, query) => deliveries(parts, query, null),
  '/panel/deliveries/:id': (parts, query, id) => deliveries(parts, query, id),
  '/panel/calls': async (parts, query) => {
    const page = await readCalls(parts, query);
    return ({ look }) => (query.has('part') ? callsPart(look, page) : callsPage(look, page));
  },
};

async function deliveries(parts: InboxParts, query: URLSearchParams, id: string | null): Promise<PageHandler> {
  const page = await readDeliveries(parts, query, id);
  if (page === null) return () => null;
  const part = query.get('part');
  return ({ look }) => (part === null ? deliveriesPage(look, page) : deliveriesPart(look, page, part));
}

/** Maximum number of bytes of a delivery; no event is larger. */
const DELIVERY_LIMIT_BYTES = 1_024 * 1_024;
const UNLOGGED = { config: { unlogged: true } };

const NOBODY: ActionReply = { status: 401, text: 'To act, show the control token first: /panel/enter.' };

const TABLES = { people: peopleCsv, timeline: timelineCsv, course: courseCsv } as const;

export const panelPages =
  (parts: PanelParts) =>
  (app: FastifyInstance): void => {
    const access = new PanelAccess(parts);
    serveAssets(app);
    for (const [path, show] of Object.entries(PAGES))
      app.get(path, (request, reply) => open(request, reply, () => show));
    for (const [path, read] of Object.entries(LOG_PAGES))
      app.get(path, UNLOGGED, (request, reply) => open(request, reply, (query, id) => read(parts, query, id)));
    app.post('/panel/inbox/:company', { ...UNLOGGED, bodyLimit: DELIVERY_LIMIT_BYTES }, (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
      const { company } = request.params as { company: string };
      const { status, text } = receive(parts, company, request.headers, body);
      return reply.status(status).type('text/plain; charset=utf-8').send(text);
    });
    app.get('/panel/musters/:id/report', (request, reply) =>
      report(request, reply, async (found) => {
        reply.header('content-security-policy', REPORT_POLICY);
        const strip = await parts.engine.read((_plant, now) =>
          stripView({ world: stateNow(), now }, { here: pathOf(request).slice(1) }),
        );
        return send(reply, reportPage(found, strip));
      }),
    );
    app.get('/panel/musters/:id/report.csv', (request, reply) =>
      report(request, reply, (found) => {
        const part = (queryOf(request).get('part') ?? 'people') as keyof typeof TABLES;
        if (!Object.hasOwn(TABLES, part))
          return say(reply, 404, 'Not found', html`<p>There is no such table: people, timeline and course are.</p>`);
        reply.type('text/csv; charset=utf-8');
        reply.header('content-disposition', `attachment; filename="muster-${found.musterId}-${part}.csv"`);
        return send(reply, TABLES[part](found));
      }),
    );
    app.get('/panel/', (_request, reply) => reply.redirect('/panel', 308));
    app.get('/panel/enter', async (request, reply) => {
      if (tryKey(request, reply)) return reply;
      return ask(reply, 200, placeIn(queryOf(request).get('to')));
    });
    form('/panel/enter', (_request, reply, fields) => {
      const to = placeIn(fields.get('to'));
      if (!access.isKey(fields.get('token') ?? '')) return ask(reply, 401, to, WRONG_TOKEN);
      access.letIn(reply);
      return reply.redirect(to, 303);
    });
    form('/panel/leave', (_request, reply) => {
      access.letOut(reply);
      return reply.redirect('/panel', 303);
    });
    form('/panel/operator', (request, reply, fields) => {
      access.callOperator(reply, fields.get('operator') ?? '');
      return reply.redirect(placeBefore(request, rootOf(parts.baseUrl())), 303);
    });
    form('/panel/secrets', async (_request, reply, fields) => {
      const id = fields.get('destination') ?? '';
      const back = id === '' ? '/' : '/panel/deliveries';
      const title = id === '' ? SECRETS : 'The secret of a destination';
      if (!access.isKey(fields.get('token') ?? ''))
        return say(reply, 401, title, secretQuestion(WRONG_TOKEN, id, back));
      if (id === '') {
        const credentials = parts.credentials();
        return credentials === null
          ? notFound(reply)
          : say(reply, 200, title, secretsView(parts.baseUrl(), credentials));
      }
      const found = await parts.engine.read((plant, now) => {
        const destination = plant.get('destination', id);
        return destination === undefined ? null : destinationSecrets(destination, now);
      });
      return found === null ? notFound(reply) : say(reply, 200, title, found);
    });
    actionForm('/panel/inbox', async (fields) => {
      await (fields.get('what') === 'close' ? closeInbox(parts) : openInbox(parts));
      return { status: 200, text: 'Done.', to: '/panel/deliveries' };
    });
    actionForm('/panel/deliveries/test', async (fields) => ({
      ...(await sendTest(parts, fields.get('destination') ?? '')),
      to: '/panel/deliveries',
    }));
    actionForm('/panel/try', async (fields, operator) =>
      fields.get('what') === 'scenario' && !access.isKey(fields.get('token') ?? '')
        ? { status: 401, text: `${WRONG_TOKEN} A run starts with the token itself, not with the cookie.` }
        : tryOut(fields, operator, parts.act, parts.scenarios),
    );
    actionForm('/panel/actions', (fields, operator) => perform(fields, operator, parts.act));
    actionForm('/panel/clock', (fields, _operator, request) => turnClock(fields, parts, request));

    function stateNow(): StreamState {
      return afterSnapshot(EMPTY_STATE, parts.snapshot(), 0);
    }

    /** Adds a POST route that only a page of this panel may use. */
    function form(
      path: string,
      handle: (
        request: FastifyRequest,
        reply: FastifyReply,
        fields: URLSearchParams,
      ) => FastifyReply | Promise<FastifyReply>,
    ): void {
      app.post(path, async (request, reply) =>
        access.isOwnForm(request) ? handle(request, reply, formOf(request)) : refuseForm(reply),
      );
    }

    function actionForm(
      path: string,
      act: (fields: URLSearchParams, operator: string, request: FastifyRequest) => Promise<TryReply>,
    ): void {
      form(path, async (request, reply, fields) =>
        answerForm(
          request,
          reply,
          access.mayAct(request) ? await act(fields, access.operatorOf(request), request) : NOBODY,
          rootOf(parts.baseUrl()),
        ),
      );
    }

    /**
     * The link in the startup banner contains the control token: the token becomes a cookie, and a redirect removes it
     * from the address.
     */
    function tryKey(request: FastifyRequest, reply: FastifyReply): boolean {
      const token = queryOf(request).get('token');
      if (token === null || !access.isKey(token)) return false;
      access.letIn(reply);
      const path = pathOf(request);
      reply.redirect(path === '/panel/enter' ? '/panel' : path, 303);
      return true;
    }

    /** Returns null if the request may read. Otherwise the reply has been sent. */
    async function stopped(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | null> {
      headers(reply);
      if (tryKey(request, reply)) return reply;
      // The token is most likely from the link of an earlier sandbox.
      if (queryOf(request).has('token')) return ask(reply, 401, pathOf(request), WRONG_TOKEN);
      if (access.mayRead(request)) return null;
      if (!access.isLocal) return ask(reply, 401, pathOf(request));
      return say(
        reply,
        403,
        'Not here',
        html`<p>The panel can be read from this machine only, by its own address.</p>`,
      );
    }

    async function report(
      request: FastifyRequest,
      reply: FastifyReply,
      show: (found: AfterAction) => FastifyReply | Promise<FastifyReply>,
    ): Promise<FastifyReply> {
      const refusal = await stopped(request, reply);
      if (refusal !== null) return refusal;
      const found = await readReport(parts, (request.params as { id: string }).id);
      return found === null ? notFound(reply) : show(found);
    }

    async function open(
      request: FastifyRequest,
      reply: FastifyReply,
      prepare: (query: URLSearchParams, id: string) => PageHandler | Promise<PageHandler>,
    ): Promise<FastifyReply> {
      const refusal = await stopped(request, reply);
      if (refusal !== null) return refusal;
      const assets = await loadAssets();
      const query = queryOf(request);
      const id = ((request.params as { id?: string }).id ?? '').toLowerCase();
      const show = await prepare(query, id);
      const reader = {
        acts: access.mayAct(request),
        operator: access.operatorOf(request),
        filter: query.get('filter') ?? '',
        all: query.has('all'),
        sheet: sheetOf(query),
        by: query.get('by') === 'place' ? ('place' as const) : ('person' as const),
        cli: CLI,
        links: PANEL_LINKS,
        setsClock: access.mayAct(request) && !parts.engine.isShared,
      };
      // Scenarios are files, which are read only for a reader who may run them.
      const scenarios =
        show === PAGES['/'] && reader.acts && !query.has('part') ? await parts.scenarios.scenarios() : [];
      const landing = (): Landing => ({
        baseUrl: parts.baseUrl(),
        mqttUrl: parts.mqttUrl(),
        clientId: parts.credentials()?.id ?? null,
        scenarios,
        // Failures name commands and folders of this machine, so they are removed.
        runs: reader.acts
          ? parts.scenarios.runs(null)
          : parts.scenarios.runs(null).map((run) => ({ ...run, failures: [] })),
      });
      const { look, shown } = await parts.engine.read((plant, now) => {
        let world: StreamState | null = null;
        const seen: PanelLook = {
          now,
          reader,
          // Computed on demand: it is slow with thousands of people, and most parts do not need it.
          get world() {
            world ??= stateNow();
            return world;
          },
        };
        const drawn = show({ look: seen, plant, id, query, landing });
        return drawn === null || drawn instanceof Html
          ? { look: null, shown: drawn }
          : { look: { ...seen, world: seen.world }, shown: drawn };
      });
      if (shown === null) return notFound(reply);
      if (look === null) return send(reply, shown.text);
      const ticket = newTicket(parts.controlToken, parts.clock.wall());
      return send(
        reply,
        livePage({ assets, look, ticket, root: rootOf(parts.baseUrl()), path: pathOf(request), page: shown }),
      );
    }
  };

/** The sheet of a long list that the query names; 0 if it names none. */
const sheetOf = (query: URLSearchParams): number => Math.max(0, Math.trunc(Number(query.get('sheet')) || 0));

const WRONG_TOKEN = 'This is not the control token.';
const SECRETS = 'A client’s first requests';

function headers(reply: FastifyReply): void {
  reply.type('text/html; charset=utf-8').headers({
    'cache-control': 'no-store',
    'content-security-policy': POLICY,
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
}

async function say(reply: FastifyReply, status: number, title: string, body: Html): Promise<FastifyReply> {
  headers(reply);
  return reply.status(status).send(plainPage(await loadAssets(), title, body));
}

const notFound = (reply: FastifyReply): Promise<FastifyReply> =>
  say(
    reply,
    404,
    'Not found',
    html`<p>There is no such page; what it showed may be gone with a reset.</p><p><a href="/panel">Control room</a></p>`,
  );

const ask = (reply: FastifyReply, status: number, to: string, wrong = ''): Promise<FastifyReply> =>
  say(
    reply,
    status,
    'Who are you?',
    html`${wrong === '' ? new Html('') : html`<p class="critical">${wrong}</p>`}${enterForm(to)}`,
  );

const refuseForm = (reply: FastifyReply): Promise<FastifyReply> =>
  say(
    reply,
    403,
    'Not from here',
    html`<p>Only a page of this panel may send that.</p><p><a href="/panel">Control room</a></p>`,
  );

/** Replies to a script with JSON. A browser without a script is redirected back, or shown the reason. */
async function answerForm(
  request: FastifyRequest,
  reply: FastifyReply,
  tryReply: TryReply,
  root: string,
): Promise<FastifyReply> {
  const { status, text, to } = tryReply;
  const back = placeBefore(request, root);
  if (String(request.headers.accept ?? '').includes('application/json'))
    return reply
      .status(status)
      .type('application/json; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(JSON.stringify({ said: text }));
  if (status === 200) return reply.redirect(to ?? back, 303);
  return say(reply, status, 'Not done', html`<p>${text}</p><p><a href="${back}">Back</a></p>`);
}
