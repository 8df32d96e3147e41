/**
 * Clients that are generated from the OpenAPI 3.0 document of a running sandbox read all of that sandbox: one calls it by
 * generated methods and narrows what it gets, and one judges each answer by generated schemas that forbid other fields.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { READS, withBusySandbox } from './busy.mjs';
import { closed } from './closed.mjs';
import { GENERATORS, MODULES } from './generators.mjs';
import { inOwnFolder } from './sandbox.mjs';

const compilerOptions = {
  strict: true,
  skipLibCheck: true,
  types: ['node'],
  outDir: 'built',
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  moduleResolution: 'nodenext',
};

const MOST_BYTES = 64 * 1024 * 1024;

/** Gives one line of JSON: what it counted. */
const CALLING = `
import { Api, type Alert, type Event, HttpResponse } from './api.js';

const { url, token, site, alert, muster } = JSON.parse(process.argv[2] as string);
const { v1 } = new Api({ baseUrl: url, baseApiParams: { headers: { authorization: \`Bearer \${token}\` } } });
const words = (one: Alert): string => {
  switch (one.type) {
    case 'sos': return one.details.trigger;
    case 'low_battery': return one.details.battery_pct.toFixed();
    case 'earthquake': return String(one.details.magnitude?.toFixed(1));
    default: return one.worker?.external_id ?? 'nobody';
  }
};
const about = (event: Event): string => 'alert' in event.data ? event.data.alert.id : event.data.muster.id;

const alerts = (await v1.listAlerts({ status: ['unacknowledged', 'acknowledged'], limit: 200 })).data.data;
const events = (await v1.listEvents({ type: ['alert.created', 'muster.*'] })).data.data;
const changed = await v1.updateAlert(alert, { status: 'acknowledged', actor: { name: 'Desk 1' } });
const made = await v1.createWebhook({ url: 'https://receiver.example/other', event_types: ['muster.*'], filters: { site_ids: [site] } });
await v1.deleteWebhook(made.data.id);
const refused = await v1.listAlerts({ cursor: 'abc' }).catch((answer: HttpResponse<never, { code: string }>) => answer.error.code);
console.log(JSON.stringify({
  alerts: alerts.map(words), abouts: events.map(about), refused,
  changed: changed.data.status, secret: made.data.secret.slice(0, 6),
  sites: (await v1.listSites()).data.data.length,
  zones: (await v1.listZones(site, { type: ['assembly_point'] })).data.data.length,
  muster: (await v1.getMuster(muster)).data.totals.expected,
  missing: (await v1.listMissingWorkers(muster)).data.data.length,
  workers: (await v1.listWorkers({ limit: 5 })).data.data.length,
  devices: (await v1.listDevices({ status: ['active'] })).data.data.length,
  positions: (await v1.listPositions()).data.data.length,
}));
`;

const JUDGING = `
import { schemas } from './api.js';

const answers: [keyof typeof schemas, unknown][] = JSON.parse(process.argv[2] as string);
const wrong = answers.flatMap(([name, answer]) => {
  const parsed = schemas[name].safeParse(answer);
  return parsed.success ? [] : parsed.error.issues.slice(0, 3).map(({ path, message }) => \`\${name}/\${path.join('/')}: \${message}\`);
});
console.log(JSON.stringify(wrong));
`;

/** Generates, compiles and runs; gives what the program prints. */
async function run(folder, name, document, program, input) {
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  await GENERATORS[name].make(document, place);
  writeFileSync(join(place, 'package.json'), '{"type":"module"}');
  writeFileSync(join(place, 'program.ts'), program);
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  const node = (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: MOST_BYTES });
    if (status !== 0) throw new Error(`${name}: ${args[0]} ended with ${status}: ${stdout}${stderr}`);
    return stdout;
  };
  node(join(MODULES, 'typescript/bin/tsc'), '-p', place);
  return JSON.parse(node(join(place, 'built/program.js'), JSON.stringify(input)));
}

/** The name of the schema of an operation's answer. */
const schemaOf = ({ paths }, wanted) =>
  Object.values(paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === wanted)
    .responses[200].content['application/json'].schema.$ref.split('/')
    .at(-1);

const problems = [];
await inOwnFolder((folder) =>
  withBusySandbox(folder, async (stage) => {
    symlinkSync(MODULES, join(folder, 'node_modules'));
    const document = await (await fetch(`${stage.url}/openapi-3.0.json`)).json();
    const answers = [];
    for (const [operationId, path] of Object.entries(READS))
      answers.push([schemaOf(document, operationId), JSON.parse(await stage.get(path(stage)))]);
    const wrong = await run(folder, 'openapi-zod-client', closed(document), JUDGING, answers);
    problems.push(...wrong);
    const spoilt = structuredClone(answers);
    spoilt[0][1].data[0].pulse = 80;
    spoilt[2][1].data[0].worker = 'nobody';
    const seen = await run(folder, 'openapi-zod-client', closed(document), JUDGING, spoilt);
    if (seen.length < 2) problems.push('zod saw no field that the document has not, or no worker of a wrong type');
    console.log(`openapi-zod-client: ${answers.length} answers, ${wrong.length} problems`);

    const { get, ...input } = stage;
    const called = await run(folder, 'swagger-typescript-api', document, CALLING, input);
    console.log(`swagger-typescript-api: ${JSON.stringify(called)}`);
    const counted = (name) => answers.find(([one]) => one === name)[1].data.length;
    const expected = {
      alerts: counted('AlertPage'),
      abouts: counted('EventPage'),
      sites: counted('SiteList'),
      missing: counted('MissingWorkerList'),
      workers: 5,
      devices: counted('DevicePage'),
      positions: counted('PositionList'),
    };
    for (const [what, count] of Object.entries(expected))
      if ((called[what].length ?? called[what]) !== count) problems.push(`${what}: ${called[what]}, not ${count}`);
    if (
      called.changed !== 'acknowledged' ||
      called.secret !== 'whsec_' ||
      called.refused !== 'invalid_cursor' ||
      !called.alerts.includes('6.1')
    )
      problems.push(`unexpected: ${JSON.stringify(called)}`);
  }),
);
for (const problem of problems) console.log(`  ${problem}`);
console.log(`clients of the OpenAPI 3.0 document: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
