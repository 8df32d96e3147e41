/**
 * Redocly's proxy is in front of a running sandbox while every operation is called end to end: it judges each answer by
 * the published document, and counts what of the document was met. No violation may be left, and no response unmet but those
 * in the list below.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callEverything } from './calls.mjs';
import { closed } from './closed.mjs';
import { findingsOf, redocly, redoclyProxy } from './redocly.mjs';
import { inOwnFolder, openReceiver, upSandbox } from './sandbox.mjs';
import { undocumented } from './undocumented.mjs';

/** No well-behaved run of a sandbox can answer with these: a body that never ends, our own bug, a full disk. */
const BEYOND_REACH = [408, 500, 503];

/** What cannot be met yet, each with its reason. A row whose response is met after all fails the judge: this list shrinks only. */
const NOT_YET = {
  'turnClock 409': 'only several nodes on one database refuse it, and a judge has one process',
};

/** Who may call is judged by the answers of 401 and 403; a request that was refused as documented broke no promise of ours. */
const RULES = ['undocumented-endpoint', 'schema-consistency', 'security-baseline'];
const isViolation = ({ target, status }) => !(target === 'request' && status >= 400 && status < 500);

await inOwnFolder(async (folder) => {
  const files = {
    api: join(folder, 'openapi.json'),
    har: join(folder, 'traffic.har'),
    coverage: join(folder, 'c.json'),
  };
  const { document, surprises, findings } = await play(folder, files);
  const { entries } = JSON.parse(readFileSync(files.har, 'utf8')).log;
  const violations = findings.filter(isViolation);
  const coverage = await coverageOf(files);

  const problems = [
    ...violations.map(
      ({ operationId, method, path, status, says }) => `${operationId ?? `${method} ${path}`} ${status}: ${says}`,
    ),
    ...undocumented(document, entries),
    ...surprises,
    ...coverage.uncovered.filter((one) => NOT_YET[one] === undefined).map((one) => `${one} was never answered`),
    ...Object.keys(NOT_YET)
      .filter((one) => !coverage.uncovered.includes(one))
      .map((one) => `${one} is in the list of what cannot be met, but was met or is gone: take it out`),
    ...(await blindSpots(document, entries, files)),
  ];
  for (const problem of new Set(problems)) console.log(`  ${problem}`);
  const { operations, responses, parameters } = coverage;
  console.log(
    `redocly proxy: ${entries.length} calls, ${operations.covered} of ${operations.total} operations, ${responses.covered} of ${responses.total} responses` +
      ` (${BEYOND_REACH.join(', ')} left out), ${parameters.covered} of ${parameters.total} parameters, ${violations.length} violations`,
  );
  for (const [one, why] of Object.entries(NOT_YET)) console.log(`  not yet: ${one}: ${why}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
});

/** Everything is called through the proxy; what it found comes when it stops. */
async function play(folder, { api, har }) {
  const receiver = await openReceiver();
  mkdirSync(join(folder, 'scenarios'));
  // Only the control token may start it, and nobody does.
  const command = 'scenario: Starts a command\nsites: {main: {}}\nsystem: {start: "true"}\nsteps:\n  - wait: 1s\n';
  writeFileSync(join(folder, 'scenarios/starts-a-command.scenario.yaml'), command);
  const flags = ['--watches', '30', '--forward', `receiver.example=${receiver.url}`];
  const sandbox = await upSandbox(folder, flags, folder);
  try {
    const { api_url } = sandbox.ready;
    const document = await bothDocuments(api_url);
    // The published responses allow other fields; an answer that has one is a violation all the same.
    writeFileSync(api, JSON.stringify(closed(document)));
    const proxy = await redoclyProxy({ target: api_url, har, api, rules: RULES });
    let surprises = [];
    let findings = [];
    try {
      const { ready } = sandbox;
      surprises = await callEverything({ url: proxy.url, document, ready, receiver, beyondReach: BEYOND_REACH });
    } finally {
      findings = await proxy.stop();
    }
    return { document, surprises, findings };
  } finally {
    await sandbox.stop();
    await receiver.close();
  }
}

/** The contract and the document of the sandbox as one, since one proxy judges the calls of both. */
async function bothDocuments(url) {
  const paths = ['/openapi.json', '/v1/sandbox/openapi.json'];
  const [contract, own] = await Promise.all(paths.map(async (path) => (await fetch(`${url}${path}`)).json()));
  const components = Object.fromEntries(
    Object.keys(own.components).map((kind) => [kind, { ...contract.components[kind], ...own.components[kind] }]),
  );
  return { ...contract, tags: [...contract.tags, ...own.tags], paths: { ...contract.paths, ...own.paths }, components };
}

/** How much of the document the recorded calls met, and which responses they did not, as `operationId status`. */
async function coverageOf({ api, har, coverage }) {
  const { stderr } = await drift(har, api, '--coverage', '--coverage-output', coverage);
  const report = readReport(coverage, stderr);
  const isAsked = ({ kind, status }) =>
    kind === 'parameter' || (kind === 'response' && !BEYOND_REACH.includes(Number(status)));
  const responses = (items) => items.filter((item) => item.kind === 'response' && isAsked(item)).length;
  const sum = (numberOf) => report.operations.reduce((all, operation) => all + numberOf(operation), 0);
  return {
    operations: report.totals.operations,
    parameters: report.totals.parameters,
    responses: {
      covered: sum(({ covered }) => responses(covered)),
      total: sum(({ covered, missing }) => responses(covered) + responses(missing)),
    },
    uncovered: report.operations.flatMap(({ operationId, missing }) =>
      missing.filter(isAsked).map(({ status, name }) => `${operationId} ${status ?? name}`),
    ),
  };
}

/** A judge that has nothing to say of a document that is wrong is no judge. */
async function blindSpots(document, entries, { har, api }) {
  const spoilt = closed(document);
  for (const { $ref } of spoilt.components.schemas.Alert.oneOf)
    delete spoilt.components.schemas[$ref.split('/').at(-1)].properties.title;
  spoilt.components.schemas.Problem.properties.code = { type: 'integer' };
  delete spoilt.paths['/v1/alerts/{alert_id}'].get.responses[404];
  writeFileSync(api, JSON.stringify(spoilt));
  const { stdout, stderr } = await drift(har, api, '--format', 'sarif');
  const seen = findingsOf(stdout, stderr).map(({ says }) => says);
  const told = undocumented(spoilt, entries);
  return [
    ...(seen.some((says) => says.includes('title')) ? [] : ['Redocly saw no field that the document has not']),
    ...(seen.some((says) => says.includes('"code" must be integer')) ? [] : ['Redocly saw no problem of a wrong type']),
    ...(told.some((says) => says.endsWith('404 is not documented'))
      ? []
      : ['no status was missed that is not documented']),
  ];
}

function drift(har, api, ...more) {
  return redocly('drift', har, '--api', api, '--match-mode', 'basepath', '--ignore-headers', '*', ...more);
}

function readReport(file, stderr) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new Error(`Redocly gave no report of coverage: ${stderr}`);
  }
}
