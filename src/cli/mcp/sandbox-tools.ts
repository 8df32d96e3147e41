/** Tools about a running sandbox: start and stop it, act in it, wait, call its API, and read events and deliveries. [cli, mcp] */
import { Type } from 'typebox';
import { ACTION_NAMES, ACTIONS, type ActionName, actionExample } from '../../contract/actions.ts';
import type { Ready } from '../../contract/banner.ts';
import { WaitRequest } from '../../contract/operations/wait.ts';
import { didYouMean } from '../../contract/sentences.ts';
import { inline, Seed, text } from '../../contract/shapes.ts';
import { SPEED, WATCHES } from '../../sandbox/options/values.ts';
import { OPERATIONS } from './operations.ts';
import { ToolRefusal } from './refusal.ts';
import type { ApiAnswer } from './sandbox-in-hand.ts';
import { type McpTool, pick, publishedSchema, tool } from './tool.ts';

/** Number of watches of a sandbox that an agent starts without a number. */
const FEW_WATCHES = 20;

/** Default and maximum number of rows of a list, and maximum characters of an answer of the API. */
const ROWS = 20;
const MOST_ROWS = 200;
const MOST_CHARACTERS = 12_000;

const Rows = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MOST_ROWS,
    description: `Maximum number of rows, newest first. Default ${ROWS}.`,
  }),
);

/** One line for each action of the catalogue. */
const actionLines = (): string[] =>
  ACTION_NAMES.map(
    (name) => `${name}: ${ACTIONS[name].title}. ${Object.keys(ACTIONS[name].fields.properties).join(', ')}`,
  );

/** Returns the body of an answer below 400. Throws a refusal with the problem otherwise. */
function bodyOf({ status, body }: ApiAnswer): Record<string, unknown> {
  if (status < 400) return (body ?? {}) as Record<string, unknown>;
  const { detail, code, errors } = (body ?? {}) as { detail?: string; code?: string; errors?: unknown };
  throw new ToolRefusal(`${status} ${code ?? ''}: ${detail ?? 'refused'}`, errors ?? null);
}

const queryOf = (values: Readonly<Record<string, unknown>>): string => {
  const given = Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given as [string, string][])}`;
};

/** The first rows of a list of the sandbox, which is sorted newest first. */
const newest = (body: Record<string, unknown>, limit: number): Record<string, unknown>[] =>
  ((body['data'] ?? []) as Record<string, unknown>[]).slice(0, limit);

const about = ({ data }: Record<string, unknown>) => {
  const { alert, muster } = (data ?? {}) as Record<string, Record<string, unknown> | undefined>;
  const object = alert ?? muster;
  return object === undefined
    ? null
    : {
        id: object['id'],
        ...(alert === undefined ? { kind: object['kind'] } : { type: object['type'], severity: object['severity'] }),
        status: object['status'],
      };
};

const addressesOf = ({ api_url, panel_url, mqtt_url, clients: [client] }: Ready) => ({
  api_url,
  panel_url,
  mqtt_url,
  client: client === undefined ? null : { client_id: client.client_id, client_secret: client.client_secret },
});

/** Workers with emulated watches, for actions. */
const workersOf = (watches: readonly { readonly worker: string | null; readonly emulated: boolean }[]): string[] =>
  watches.flatMap(({ worker, emulated }) => (worker === null || !emulated ? [] : [worker])).slice(0, ROWS);

export const SANDBOX_TOOLS: readonly McpTool[] = [
  tool({
    name: 'start_sandbox',
    title: 'Start a sandbox',
    description:
      'Starts the API, an MQTT broker and emulated watches in memory, on free ports of this machine. Only one sandbox can run. Returns addresses and the credentials of a client. With forward_to, signed webhooks go to your receiver.',
    readsOnly: false,
    input: inline({
      watches: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: WATCHES.most,
          description: `Emulated watches in all. Default ${FEW_WATCHES}.`,
        }),
      ),
      seed: Type.Optional(Seed),
      speed: Type.Optional(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: SPEED.most,
          description: 'Simulated seconds per second. Default 1.',
        }),
      ),
      forward_to: Type.Optional(text(2_048, 1)),
    }),
    run: async ({ watches = FEW_WATCHES, forward_to: url, ...wishes }, { sandbox }) => {
      const running = await sandbox.start({ watches, ...wishes });
      const destination = url === undefined ? null : await forwardTo(url);
      return {
        ...addressesOf(running.ready),
        sites: [...running.engine.world.all('site')].map(({ name, id }) => ({ name, id })),
        workers: workersOf(running.watches()),
        ...(destination === null ? {} : { webhook_secret: destination['secret'] }),
        next: 'perform_action makes something happen, such as {"action": "sos", "fields": {"who": "W-001"}}; then wait_for what follows. describe_actions lists all actions. stop_sandbox ends it.',
      };
      async function forwardTo(forward: string) {
        try {
          return bodyOf(await sandbox.control('POST', '/v1/sandbox/destinations', { forward_to: forward }));
        } catch (error) {
          await sandbox.stop();
          throw error;
        }
      }
    },
  }),
  tool({
    name: 'stop_sandbox',
    title: 'Stop the sandbox',
    description:
      'Stops the sandbox of start_sandbox, and deletes its state. With mcp --data-dir it only leaves the joined sandbox, which keeps running.',
    readsOnly: false,
    input: inline({}),
    run: async (_, { sandbox }) => {
      const { joins } = sandbox;
      const stopped = await sandbox.stop();
      return joins === null
        ? { stopped }
        : {
            stopped,
            left: true,
            next: `This server no longer uses the sandbox of ${joins}, which is not stopped by it.`,
          };
    },
  }),
  tool({
    name: 'sandbox_status',
    title: 'How the sandbox is',
    description: 'Addresses, simulated time, open alerts and active musters of the running sandbox, and some workers.',
    readsOnly: true,
    input: inline({}),
    run: async (_, { sandbox }) => {
      const clock = bodyOf(await sandbox.control('GET', '/v1/sandbox/clock'));
      const alerts = newest(bodyOf(await sandbox.client('GET', '/v1/alerts?status=unacknowledged,acknowledged')), ROWS);
      const musters = newest(bodyOf(await sandbox.client('GET', '/v1/musters?status=active')), ROWS);
      const { ready } = sandbox.called;
      return {
        ...addressesOf(ready),
        workers: workersOf(ready.watches),
        clock,
        open_alerts: alerts.map((one) => pick(one, ['id', 'type', 'severity', 'status'])),
        active_musters: musters.map((one) => pick(one, ['id', 'kind', 'status', 'totals'])),
      };
    },
  }),
  tool({
    name: 'describe_actions',
    title: 'Describe the actions',
    description: 'Without a name: all actions with their fields, one per line. With a name: its schema and an example.',
    readsOnly: true,
    input: inline({ action: Type.Optional(Type.String()) }),
    run: ({ action }) => {
      if (action === undefined)
        return { actions: actionLines(), next: 'describe_actions with a name shows its schema.' };
      const name = actionNamed(action);
      const { action: _, ...fields } = actionExample(name) as { action: string };
      return {
        action: name,
        help: ACTIONS[name].help,
        fields: publishedSchema(ACTIONS[name].fields.properties),
        example: { action: name, fields },
        next: 'perform_action does it.',
      };
    },
  }),
  tool({
    name: 'perform_action',
    title: 'Perform an action',
    description: `Makes something happen in the running sandbox. The action is one of ${ACTION_NAMES.join(', ')}; describe_actions shows the fields of each.`,
    readsOnly: false,
    input: inline({
      action: Type.String(),
      fields: Type.Optional(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description: 'As describe_actions shows them; who is an external id such as W-001.',
          },
        ),
      ),
    }),
    run: async ({ action, fields = {} }, { sandbox }) => {
      const name = actionNamed(action);
      const body = bodyOf(await sandbox.control('POST', '/v1/sandbox/actions', { ...fields, action: name }));
      return {
        ...body,
        next: 'wait_for its results: {"event": "alert.created"}, {"delivery": "any"} or {"alert": "<alert_id>", "match": {"status": "acknowledged"}}.',
      };
    },
  }),
  tool({
    name: 'wait_for',
    title: 'Wait until something is so',
    description:
      'Waits for an event, an alert, a muster, a request of your client or a delivery, since the last action. Returns immediately if the condition is already true. A refusal names the nearest candidate.',
    readsOnly: true,
    input: WaitRequest,
    run: async (request, { sandbox }) => bodyOf(await sandbox.control('POST', '/v1/sandbox/wait', request)),
  }),
  tool({
    name: 'advance_clock',
    title: 'Let simulated time pass',
    description: 'Plays everything that is due in that time, in order, without waiting for it: {"by": "10m"}.',
    readsOnly: false,
    input: inline({ by: text(20, 1) }),
    run: async ({ by }, { sandbox }) => bodyOf(await sandbox.control('POST', '/v1/sandbox/clock', { advance: by })),
  }),
  tool({
    name: 'list_operations',
    title: 'List the operations of the API',
    description:
      'Method, path, scope and summary of the operations whose path or summary contains the text; all without one.',
    readsOnly: true,
    input: inline({ search: Type.Optional(Type.String()) }),
    run: ({ search = '' }) => {
      const wanted = search.toLowerCase();
      const found = OPERATIONS.filter((line) => line.toLowerCase().includes(wanted));
      return { operations: found, next: 'call_api makes one of these calls. The reference is at <api_url>/docs.' };
    },
  }),
  tool({
    name: 'call_api',
    title: 'Call the API as a client',
    description:
      'One call as the first client of the sandbox makes it, with a valid token: {"method": "GET", "path": "/v1/alerts?limit=5"}. Problems are answers too: they have a code and a detail.',
    readsOnly: false,
    input: inline({
      method: Type.Enum(['GET', 'POST', 'PATCH', 'DELETE'], { type: 'string' }),
      path: Type.String({ pattern: '^/v1/', maxLength: 4_096 }),
      body: Type.Optional(Type.Object({}, { additionalProperties: true })),
    }),
    run: async ({ method, path, body }, { sandbox }) => {
      const answer = await sandbox.client(method, path, body);
      const length = JSON.stringify(answer.body).length;
      if (length <= MOST_CHARACTERS) return { status: answer.status, body: answer.body };
      return {
        status: answer.status,
        body: JSON.stringify(answer.body).slice(0, MOST_CHARACTERS),
        next: `The body has ${length} characters; this is its beginning. Request less with ?limit= and filters.`,
      };
    },
  }),
  tool({
    name: 'read_events',
    title: 'Read the event log',
    description:
      'What happened, newest first: id, type, time, and the alert or muster. call_api with /v1/events?after= reads them in full.',
    readsOnly: true,
    input: inline({ limit: Rows }),
    run: async ({ limit = ROWS }, { sandbox }) => {
      const body = bodyOf(await sandbox.control('GET', `/v1/sandbox/events${queryOf({ limit })}`));
      return {
        events: newest(body, limit).map((event) => ({
          id: event['id'],
          type: event['type'],
          created_at: event['created_at'],
          about: about(event),
        })),
      };
    },
  }),
  tool({
    name: 'read_deliveries',
    title: 'Read the deliveries',
    description:
      'Attempts to deliver events to receivers, newest first: where to, the result, and the status that came back.',
    readsOnly: true,
    input: inline({ limit: Rows }),
    run: async ({ limit = ROWS }, { sandbox }) => {
      const body = bodyOf(await sandbox.control('GET', `/v1/sandbox/deliveries${queryOf({ limit })}`));
      return {
        deliveries: newest(body, limit).map((row) => ({
          ...pick(row, ['event_id', 'event_type', 'try', 'at', 'result', 'status', 'error', 'note']),
          url: (row['request'] as Record<string, unknown>)['url'],
        })),
        next: 'explain_delivery with an event_id says what was signed, and why a receiver may have refused it.',
      };
    },
  }),
  tool({
    name: 'explain_delivery',
    title: 'Explain a delivery',
    description:
      'For the id of an event: the bytes that were signed, each attempt with what came back, and the likely cause of a refusal.',
    readsOnly: true,
    input: inline({ event_id: text(100, 1) }),
    run: async ({ event_id: id }, { sandbox }) =>
      bodyOf(await sandbox.control('GET', `/v1/sandbox/deliveries/${encodeURIComponent(id)}`)),
  }),
];

function actionNamed(name: string): ActionName {
  const typed = name.replaceAll('-', '_');
  if ((ACTION_NAMES as readonly string[]).includes(typed)) return typed as ActionName;
  throw new ToolRefusal(`There is no action "${name}".${didYouMean(typed, ACTION_NAMES)} describe_actions lists them.`);
}
