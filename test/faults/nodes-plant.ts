/** Nodes as child processes on one Postgres and one Mosquitto, watches and clients that load them, and what of it was acknowledged. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { connectAsync, type MqttClient } from 'mqtt';
import { Mosquitto } from '../helpers/mosquitto.ts';
import { ownFolder } from '../helpers/own-folder.ts';
import { PostgresServer } from '../helpers/postgres-server.ts';
import { RunningSandbox } from '../product/sandbox-process.ts';
import { Receiver } from '../service/webhooks/receiver.ts';
import { CuttableProxy } from './cuttable.ts';
import { type FleetProcess, startFleet } from './fleet-process.ts';
import { pause } from './harness.ts';

const HOST = 'receiver.example';

/** A node and its ways to what it shares. */
export interface PlantNode {
  readonly name: string;
  readonly toDatabase: CuttableProxy;
  readonly toBroker: CuttableProxy;
  readonly env: Record<string, string>;
  sandbox: RunningSandbox;
}

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a fault looks into any answer
  readonly body: any;
}

/** What is in the database at the end, against what was acknowledged. */
export interface NodesCompared {
  readonly presses: number;
  readonly pressesLost: number;
  readonly changes: number;
  readonly changesLost: number;
  /** Alerts or changes that one press or one request made twice. */
  readonly doubled: number;
  readonly events: number;
  /** Events whose `created_at` is not after that of the event before, in the order of the commits. */
  readonly outOfOrder: number;
  readonly undelivered: number;
  readonly duplicates: number;
  readonly otherBytes: number;
}

export class NodesPlant {
  readonly server: PostgresServer;
  readonly database: string;
  readonly mosquitto: Mosquitto;
  readonly receiver: Receiver;
  readonly nodes: PlantNode[] = [];
  readonly #folder = ownFolder();
  readonly #watches: string;
  #fleet: FleetProcess | null = null;
  readonly #pressed = new Map<string, string[]>();
  readonly #changed = new Map<string, number>();
  readonly #unsure = new Map<string, number>();
  #next = 0;
  #loading = false;
  readonly #loads: Promise<unknown>[] = [];
  #failure: Error | null = null;

  private constructor(
    server: PostgresServer,
    database: string,
    mosquitto: Mosquitto,
    receiver: Receiver,
    watches: number,
  ) {
    this.server = server;
    this.database = database;
    this.mosquitto = mosquitto;
    this.receiver = receiver;
    this.#watches = String(watches);
  }

  static async make(watches = 30): Promise<NodesPlant> {
    const folder = ownFolder();
    const settings = ['allow_anonymous true', 'max_queued_messages 0', 'max_inflight_messages 0'];
    const mosquitto = await Mosquitto.start(join(folder.path, 'mosquitto.conf'), [settings]);
    const server = await PostgresServer.start();
    return new NodesPlant(server, await server.database(), mosquitto, await Receiver.start(), watches);
  }

  /** `env`: of its process, such as a clock of its own. */
  async join(name: string, env: Record<string, string> = {}, watches?: string): Promise<PlantNode> {
    const toDatabase = await CuttableProxy.to(this.server.port);
    const toBroker = await CuttableProxy.to(this.mosquitto.ports[0] as number);
    const node = { name, toDatabase, toBroker, env } as PlantNode;
    try {
      await this.boot(node, watches);
    } catch (error) {
      await toDatabase.close();
      await toBroker.close();
      throw error;
    }
    this.nodes.push(node);
    return node;
  }

  /** `watches`: of a node that was started with other options than the first ones. */
  async boot(node: PlantNode, watches = this.#watches): Promise<void> {
    node.sandbox = await RunningSandbox.up(
      [
        ...['--node', node.name, '--seed', '7', '--watches', watches],
        ...['--database', this.database.replace(`:${this.server.port}/`, `:${node.toDatabase.port}/`)],
        ...['--broker', `mqtt://127.0.0.1:${node.toBroker.port}`],
        ...['--data-dir', join(this.#folder.path, node.name), '--forward', `${HOST}=${this.receiver.url.origin}`],
      ],
      { env: node.env },
    );
  }

  /** Emulated watches of all sites, in a process of their own. Resolves when the service knows where people are. */
  async startFleet(): Promise<void> {
    this.#fleet = await startFleet([
      ...['--broker', `mqtt://127.0.0.1:${this.mosquitto.ports[0]}`, '--seed', '7', '--watches', this.#watches],
    ]);
    const fixed = `SELECT 1 FROM muster_sandbox.documents WHERE kind = 'telemetry' AND body::jsonb->'fix' <> 'null'`;
    while ((await this.server.query(this.database, fixed)).length < Number(this.#watches) / 2) await pause(100);
  }

  get first(): PlantNode {
    return this.nodes[0] as PlantNode;
  }

  /** Asks the nodes in turn until one answers; a 503 is the answer of none. Null: none has. */
  async ask(method: string, path: string, token: string, body?: unknown, among = this.nodes): Promise<Answer | null> {
    for (let tries = 0; tries < 40; tries++) {
      const node = among[this.#next++ % among.length] as PlantNode;
      const answer = await call(node.sandbox.ready.api_url, method, path, token, body);
      if (answer !== null && answer.status !== 503) return answer;
      // It is not known whether the change stands.
      if (answer === null && method !== 'GET') return null;
      await pause(50);
    }
    return null;
  }

  act(body: Record<string, unknown>, among = this.nodes): Promise<Answer | null> {
    return this.ask('POST', '/v1/sandbox/actions', this.first.sandbox.ready.control_token, body, among);
  }

  async destination(): Promise<void> {
    const token = await this.first.sandbox.token();
    const body = { url: `https://${HOST}/hook`, event_types: ['alert.*', 'muster.*'] };
    const answer = await this.ask('POST', '/v1/webhooks', token, body);
    if (answer?.status !== 201) throw new Error(`the destination was refused: ${JSON.stringify(answer?.body)}`);
  }

  /** Sites of all companies by name. */
  async sites(): Promise<{ readonly id: string; readonly name: string }[]> {
    const rows = await this.server.query(
      this.database,
      `SELECT id, body::jsonb->>'name' AS name FROM muster_sandbox.documents WHERE kind = 'site' ORDER BY id`,
    );
    return rows.map(({ id, name }) => ({ id: String(id), name: String(name) }));
  }

  async ownerOf(siteId: string): Promise<PlantNode | null> {
    const [row] = await this.server.query(
      this.database,
      `SELECT n.name FROM muster_sandbox.claims c JOIN muster_sandbox.nodes n ON n.epoch = c.node WHERE c.kind = 'site' AND c.id = '${siteId}'`,
    );
    return this.nodes.find(({ name }) => name === row?.['name']) ?? null;
  }

  /** Sites and destinations for which the node works. */
  async claimsOf(name: string): Promise<number> {
    const [row] = await this.server.query(
      this.database,
      `SELECT count(*) AS n FROM muster_sandbox.claims c JOIN muster_sandbox.nodes n ON n.epoch = c.node WHERE n.name = '${name}'`,
    );
    return Number(row?.['n']);
  }

  /** Ends a node in order. */
  async leave(node: PlantNode): Promise<void> {
    await node.sandbox.stop();
    await node.toBroker.close();
    await node.toDatabase.close();
    this.nodes.splice(this.nodes.indexOf(node), 1);
    await this.untilShared();
  }

  /** The two last watches of each site are spare: a fleet elsewhere leaves them alone. */
  #spare(): RunningSandbox['ready']['watches'] {
    const { watches } = this.first.sandbox.ready;
    return watches.filter(
      ({ site_id: site, serial }) =>
        watches.filter((other) => other.site_id === site && other.serial > serial).length < 2,
    );
  }

  /** Workers whom the active muster expects, by id. */
  async expected(): Promise<string[]> {
    const rows = await this.server.query(
      this.database,
      `SELECT body::jsonb->>'workerId' AS worker FROM muster_sandbox.documents WHERE kind = 'expected' ORDER BY id`,
    );
    return rows.map(({ worker }) => String(worker));
  }

  /** Every site has a node. */
  async untilShared(): Promise<void> {
    for (;;) {
      const [row] = await this.server.query(
        this.database,
        `SELECT count(*) AS free FROM muster_sandbox.claims WHERE node IS NULL OR node NOT IN (SELECT epoch FROM muster_sandbox.nodes)`,
      );
      if (Number(row?.['free']) === 0) return;
      await pause(50);
    }
  }

  /** Spare watches press SOS, a desk resolves each alert, and writers reopen and resolve others, until `rest`. */
  async load(): Promise<void> {
    this.#loading = true;
    for (const watch of this.#spare()) this.#load(this.#pressAgain(watch));
    const token = await this.first.sandbox.token();
    this.#load(this.#resolveAll(token));
    for (const { name } of await this.sites()) {
      const made = await this.act({
        action: 'hazard',
        site: name,
        kind: 'earthquake',
        magnitude: 6.5,
        distance_km: 60,
      });
      const alert = made?.body.result?.alert_id;
      if (alert !== undefined) this.#load(this.#writeAgain(alert));
    }
  }

  /** Ends the load once everything that is under way has come to its end. */
  async rest(): Promise<void> {
    this.#loading = false;
    await Promise.all(this.#loads.splice(0));
    if (this.#failure !== null) throw this.#failure;
  }

  /** What fails is thrown by `rest`: a fault that fails before must not be hidden by what its end breaks. */
  #load(work: Promise<void>): void {
    this.#loads.push(
      work.catch((error: Error) => {
        this.#failure ??= error;
      }),
    );
  }

  async #pressAgain({ serial, key, site_id: siteId }: RunningSandbox['ready']['watches'][number]): Promise<void> {
    const client: MqttClient = await connectAsync(`mqtt://127.0.0.1:${this.mosquitto.ports[0]}`, {
      clientId: serial,
      username: serial,
      password: key,
      clean: true,
      protocolVersion: 4,
    });
    const pressed: string[] = [];
    this.#pressed.set(serial, pressed);
    for (let seq = 1; this.#loading; seq++) {
      const id = randomUUID();
      const event = { id, session: 1, seq, t: new Date().toISOString(), with: 'watch_button' };
      await client.publishAsync(`wt/v1/${siteId}/${serial}/up/event/sos`, JSON.stringify(event), { qos: 1 });
      pressed.push(id);
      // The next press would fold into an alert that is open.
      while (!(await this.#isAccepted(serial, id)) || (await this.#isOpen(serial))) {
        if (!this.#loading && (await this.#isAccepted(serial, id))) break;
        await pause(100);
      }
    }
    await client.endAsync();
  }

  async #isAccepted(serial: string, id: string): Promise<boolean> {
    const rows = await this.server.query(this.database, acceptedRows(serial, [id]));
    return rows.length > 0;
  }

  async #isOpen(serial: string): Promise<boolean> {
    const rows = await this.server.query(
      this.database,
      `SELECT 1 FROM muster_sandbox.documents WHERE kind = 'alert' AND body::jsonb->>'type' = 'sos'
         AND body::jsonb->'device'->>'serial' = '${serial}' AND body::jsonb->>'status' <> 'resolved'`,
    );
    return rows.length > 0;
  }

  /** The desk: resolves every open SOS by PATCH where the client may, else by an action. */
  async #resolveAll(token: string): Promise<void> {
    while (this.#loading) {
      const rows = await this.server.query(
        this.database,
        `SELECT id FROM muster_sandbox.documents WHERE kind = 'alert' AND body::jsonb->>'type' = 'sos' AND body::jsonb->>'status' <> 'resolved'`,
      );
      await Promise.all(
        rows.map(async ({ id }) => {
          const patch = { status: 'resolved', actor: { name: 'Desk' } };
          const answer = await this.ask('PATCH', `/v1/alerts/${id}`, token, patch);
          if (answer?.status === 404)
            await this.act({ action: 'resolve', alert: String(id), by: 'Desk', reason: 'done' });
          if (answer?.status === 200) this.#count(this.#changed, `${id} alert.resolved`);
        }),
      );
      await pause(100);
    }
  }

  async #writeAgain(alert: string): Promise<void> {
    const change = async (action: 'reopen' | 'resolve'): Promise<number | undefined> => {
      const reason = action === 'resolve' ? { reason: 'done' } : {};
      const answer = await this.act({ action, alert, by: 'Desk', ...reason });
      const key = `${alert} ${action === 'resolve' ? 'alert.resolved' : 'alert.reopened'}`;
      if (answer?.status === 200) this.#count(this.#changed, key);
      if (answer === null) this.#count(this.#unsure, key);
      return answer?.status;
    };
    while (this.#loading) {
      // To resolve twice would be answered like once, with one event; an open alert refuses to be opened again with 409.
      const reopened = await change('reopen');
      if (reopened === 200 || reopened === 409) await change('resolve');
      await pause(20);
    }
  }

  #count(among: Map<string, number>, key: string): void {
    among.set(key, (among.get(key) ?? 0) + 1);
  }

  get acknowledged(): number {
    const presses = [...this.#pressed.values()].reduce((sum, ids) => sum + ids.length, 0);
    return presses + [...this.#changed.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Until the receiver has every event of the log. */
  async drained(withinMs = 60_000): Promise<void> {
    const end = performance.now() + withinMs;
    for (;;) {
      const got = new Set(this.receiver.received.map(({ eventId }) => eventId));
      if ((await this.#log()).every(({ id }) => got.has(id)) || performance.now() > end) return;
      await pause(200);
    }
  }

  /** The events of the company whose client made the destination, in the order of their commits. */
  async #log() {
    const rows = await this.server.query(
      this.database,
      `SELECT id, type, body, created_at FROM muster_sandbox.events
       WHERE listed = 1 AND organization_id = (SELECT min(body::jsonb->>'organizationId') FROM muster_sandbox.documents WHERE kind = 'destination')
       ORDER BY seq`,
    );
    return rows.map((row) => ({
      id: String(row['id']),
      type: String(row['type']),
      body: String(row['body']),
      createdAt: Number(row['created_at']),
    }));
  }

  async compare(): Promise<NodesCompared> {
    const log = await this.#log();
    const all = await this.server.query(this.database, 'SELECT type, body FROM muster_sandbox.events WHERE listed > 0');
    const written = new Map<string, number>();
    const raised = new Map<string, number>();
    for (const { type, body } of all) {
      const { alert } = (
        JSON.parse(String(body)) as {
          data: { alert?: { id: string; type: string; device: { serial: string } | null } };
        }
      ).data;
      if (alert === undefined) continue;
      this.#count(written, `${alert.id} ${type}`);
      if (type === 'alert.created' && alert.type === 'sos') this.#count(raised, alert.device?.serial ?? '');
    }
    let [presses, pressesLost, changesLost, doubled] = [0, 0, 0, 0];
    for (const [serial, ids] of this.#pressed) {
      const accepted = await this.server.query(this.database, acceptedRows(serial, ids));
      presses += ids.length;
      pressesLost += ids.length - accepted.length;
      doubled += Math.max(0, (raised.get(serial) ?? 0) - ids.length);
      // Each press came when no alert was open.
      pressesLost += Math.max(0, accepted.length - (raised.get(serial) ?? 0));
    }
    for (const [key, count] of this.#changed) {
      const stands = written.get(key) ?? 0;
      changesLost += Math.max(0, count - stands);
      doubled += Math.max(0, stands - count - (this.#unsure.get(key) ?? 0));
    }
    const bodies = new Map(log.map(({ id, body }) => [id, body]));
    const got = new Map<string, number>();
    let otherBytes = 0;
    for (const { eventId, body } of this.receiver.received) {
      this.#count(got, eventId);
      if (bodies.get(eventId) !== body) otherBytes += 1;
    }
    return {
      presses,
      pressesLost,
      changes: [...this.#changed.values()].reduce((sum, count) => sum + count, 0),
      changesLost,
      doubled,
      events: log.length,
      outOfOrder: log.filter(({ createdAt }, n) => n > 0 && createdAt <= (log[n - 1]?.createdAt ?? 0)).length,
      undelivered: log.filter(({ id }) => !got.has(id)).length,
      duplicates: [...got.values()].reduce((sum, count) => sum + count - 1, 0),
      otherBytes,
    };
  }

  async end(): Promise<void> {
    this.#loading = false;
    await this.#fleet?.stop();
    for (const { sandbox, toBroker, toDatabase } of this.nodes) {
      if (sandbox.child.exitCode === null && sandbox.child.signalCode === null) {
        sandbox.child.kill('SIGCONT');
        await sandbox.stop();
      }
      await toBroker.close();
      await toDatabase.close();
    }
    await this.receiver.close();
    await this.mosquitto.stop();
    await this.server.destroy();
    this.#folder.remove();
  }
}

const acceptedRows = (serial: string, ids: readonly string[]): string => {
  const device = `(SELECT id FROM muster_sandbox.documents WHERE kind = 'device' AND body::jsonb->>'serial' = '${serial}')`;
  const keys = ids.map((id) => `${device} || '/${id}'`);
  return `SELECT 1 FROM muster_sandbox.documents WHERE kind = 'heard' AND id IN (${keys.join(', ')})`;
};

async function call(url: string, method: string, path: string, token: string, body?: unknown): Promise<Answer | null> {
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  } catch (error) {
    // It never came there.
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return code === 'ECONNREFUSED' ? { status: 503, body: null } : null;
  }
}
