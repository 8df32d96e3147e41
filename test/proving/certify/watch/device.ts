/** A watch of its own, on mqtt.js: right, or wrong in the one way that MISTAKE names. It speaks the harness of `certify --watch`. */
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import mqtt, { type MqttClient } from 'mqtt';
import { later, wallMs } from '../../../../src/base/time/timers.ts';

/** Each is caught by a check of its own; device.test.ts says by which. */
export const MISTAKES = [
  'new-id-on-resend',
  'no-backlog',
  'late-answer',
  'slow-in-muster',
  'local-time',
  'no-second-birth',
  'pulse',
  'stale-session',
  'no-goodbye',
] as const;
type Mistake = (typeof MISTAKES)[number];

interface Kept {
  readonly id: string;
  readonly topic: string;
  readonly payload: Record<string, unknown>;
}
interface Point {
  id: string;
  status: string;
  serves: string[];
}
interface MusterOnScreen {
  status: string;
  kind: string;
  phase: string;
  points: Point[];
}

const { SANDBOX_MQTT_URL: url = '', SANDBOX_WATCH_SERIAL: serial = '', SANDBOX_WATCH_KEY: key = '' } = process.env;
const { SANDBOX_SITE_ID: site = '', MISTAKE: mistake } = process.env as { SANDBOX_SITE_ID?: string; MISTAKE?: Mistake };
const root = `wt/v1/${site}/${serial}`;
const HOUR_MS = 3_600_000;

let client: MqttClient;
let isUp = false;
let isOff = false;
let session = 0;
let births = 0;
let seq = 0;
let worn = true;
let aheadMs = 0;
let everyMs = 1_000;
let alarmMs = 1_000;
let cancelReport = () => {};
let prompt: { id: string; untilMs: number } | null = null;
let muster: MusterOnScreen | null = null;
const alerts = new Map<string, true>();
let events: Kept[] = [];
let fixes: Record<string, unknown>[] = [];

/** Not `Date`: this clock can be wrong. */
const t = (): string => {
  const ms = wallMs() + aheadMs + (mistake === 'local-time' ? 3 * HOUR_MS : 0);
  return new Date(ms).toISOString();
};
const stamp = () => ({ session, seq: ++seq });
const isAlarmed = () => alerts.size > 0 || muster !== null;

function connect(): void {
  if (mistake !== 'stale-session' || session === 0) session++;
  seq = 0;
  const death = JSON.stringify({ online: false, session });
  client = mqtt.connect(url, {
    protocolVersion: 4,
    clean: true,
    keepalive: 30,
    reconnectPeriod: 0,
    resubscribe: false,
    connectTimeout: 5_000,
    clientId: serial,
    username: serial,
    password: key,
    will: { topic: `${root}/up/status`, payload: Buffer.from(death), qos: 1, retain: true },
  });
  const current = client;
  current.on('error', () => {});
  current.on('message', receive);
  current.on('connect', () => {
    current.subscribe([`${root}/down/#`, `wt/v1/${site}/all/#`, 'wt/v1/host/state'], { qos: 1 }, (error) => {
      if (error === null) greet();
    });
  });
  current.on('close', () => {
    isUp = false;
    current.end(true);
    if (!isOff && current === client) later(300 + 200 * Math.random(), connect);
  });
}

function greet(): void {
  isUp = true;
  [prompt, muster] = [null, null];
  alerts.clear();
  const birth = { online: true, session, firmware: 'plain 1.0', t: t() };
  if (mistake !== 'no-second-birth' || births === 0) publish('status', birth, 1, true);
  births++;
  for (const one of events) {
    if (mistake === 'new-id-on-resend') one.payload['id'] = randomUUID();
    deliver(one);
  }
  const backlog = mistake === 'no-backlog' ? [] : fixes;
  fixes = [];
  if (backlog.length > 0)
    publish(
      'position',
      backlog.map((fix) => ({ ...stamp(), ...fix })),
      1,
    );
  publish(
    'battery',
    { ...stamp(), t: t(), pct: 80, charging: false, ...(mistake === 'pulse' ? { pulse: 70 } : {}) },
    0,
  );
  plan(0);
}

function publish(leaf: string, payload: unknown, qos: 0 | 1, retain = false, done: () => void = () => {}): void {
  client.publish(`${root}/up/${leaf}`, JSON.stringify(payload), { qos, retain }, (error) => {
    if (error == null) done();
  });
}

function plan(afterMs: number): void {
  cancelReport();
  cancelReport = later(afterMs, report);
}

function report(): void {
  if (isOff) return;
  const isHasty = isAlarmed() && !(mistake === 'slow-in-muster' && muster !== null);
  const fix = { t: t(), latitude: -33.03, longitude: -71.63, uncertainty_m: 5, source: 'gps', in_vehicle: false, worn };
  if (isUp) publish('position', { ...stamp(), ...fix }, isAlarmed() ? 1 : 0);
  else fixes.push(fix);
  plan(isHasty ? alarmMs : everyMs);
}

function say(kind: string, fields: object): string {
  const id = randomUUID();
  const kept = { id, topic: `event/${kind}`, payload: { id, t: t(), ...fields } };
  events.push(kept);
  if (isUp) deliver(kept);
  return id;
}

/** Kept until its PUBACK. */
function deliver(kept: Kept): void {
  publish(kept.topic, { ...kept.payload, ...stamp() }, 1, false, () => {
    events = events.filter((one) => one !== kept);
  });
}

function receive(topic: string, payload: Buffer): void {
  let read: Record<string, unknown>;
  try {
    read = JSON.parse(payload.toString()) ?? {};
  } catch {
    return;
  }
  const wasAlarmed = isAlarmed();
  const before = everyMs;
  if (topic.endsWith('/down/config')) {
    everyMs = Number(read['position_every_s']) * 1_000;
    alarmMs = Number(read['alarm_every_s']) * 1_000;
  } else if (topic.endsWith('/all/muster'))
    muster = read['status'] === 'active' ? (read as unknown as MusterOnScreen) : null;
  else if (read['kind'] === 'prompt') {
    const untilMs = Date.parse(String(read['until']));
    if (untilMs > wallMs() || mistake === 'late-answer') prompt = { id: String(read['fall_id']), untilMs };
  } else if (read['kind'] === 'alert') {
    if (read['status'] === 'resolved') alerts.delete(String(read['alert_id']));
    else alerts.set(String(read['alert_id']), true);
  }
  if (wasAlarmed !== isAlarmed() || before !== everyMs) plan(50);
}

const isAsking = () => prompt !== null && (wallMs() < prompt.untilMs || mistake === 'late-answer');

const done = (_id: string): null => null;

/** Null: done; a sentence: why not. */
const COMMANDS: Record<string, (line: Record<string, unknown>) => string | null | Promise<null>> = {
  hello: () => null,
  look: () => null,
  sos: () => done(say('sos', { with: 'watch_button' })),
  fall: () => done(say('fall', {})),
  call: () => done(say('call', { voice_note: !isUp })),
  help: ({ reason }) => done(say('help', { reason })),
  declare: ({ point_id }) => done(say('declare', { point_id })),
  ack: () => {
    const alert_id = [...alerts.keys()].at(-1);
    return alert_id === undefined ? 'no alert is shown' : done(say('ack', { alert_id }));
  },
  answer: ({ answer }) => {
    if (!isAsking() || prompt === null) return 'no prompt is shown';
    say('prompt', { fall_id: prompt.id, answer });
    // As if it were pressed in time.
    const last = events.at(-1);
    if (mistake === 'late-answer' && last !== undefined)
      last.payload['t'] = new Date(prompt.untilMs - 1_000).toISOString();
    prompt = null;
    return null;
  },
  wear: (line) => {
    worn = line['worn'] === true;
    plan(0);
    return null;
  },
  clock: ({ ahead_s }) => {
    aheadMs = Number(ahead_s) * 1_000;
    return null;
  },
  end: async () => {
    isOff = true;
    cancelReport();
    if (mistake === 'no-goodbye') client.stream.destroy();
    else {
      await new Promise<void>((done) => publish('status', { online: false, session }, 1, true, done));
      await client.endAsync();
    }
    return null;
  },
};

const shows = () => ({
  prompt: isAsking(),
  muster: muster === null ? null : muster.phase === 'inspecting' ? 'stay_out' : 'evacuate',
  kind: muster?.kind ?? null,
  points: (muster?.points ?? [])
    .filter(({ status, serves }) => status === 'available' && serves.includes(muster?.kind ?? ''))
    .map(({ id }) => id),
});

createInterface({ input: process.stdin }).on('line', async (text) => {
  const line = JSON.parse(text) as { id: number; do: string };
  const command = COMMANDS[line.do];
  const why = command === undefined ? 'this device has no such thing' : await command(line as never);
  const answer = why === null ? { ok: true, ...(line.do === 'look' ? { shows: shows() } : {}) } : { ok: false, why };
  process.stdout.write(`${JSON.stringify({ id: line.id, ...answer })}\n`);
});
process.on('SIGTERM', () => process.exit(0));
if (url !== '') connect();
