/** What an editor offers in a scenario file, asked of the YAML language server that most editors use, with the published schema. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { getLanguageService } from 'yaml-language-server';
import { ALERT_STATUSES, ALERT_TYPES, SEVERITIES } from '../../../src/contract/enumerations.ts';
import { editorSchema } from '../../../src/scenario/language/derive/editor-schema.ts';
import { BEHAVIOUR_WORDS } from '../../../src/scenario/model/receiver-behaviour.ts';

const SCENARIOS = resolve(import.meta.dirname, '../../../scenarios');

const server = getLanguageService({
  schemaRequestService: (uri) => Promise.reject(new Error(`${uri} is not to be fetched.`)),
  workspaceContext: { resolveRelativePath: (path) => path },
});
server.configure({
  validate: true,
  completion: true,
  hover: true,
  yamlVersion: '1.2',
  // The server writes into the schema, whose parts other tests share.
  schemas: [
    { uri: 'file:///scenario.schema.json', fileMatch: ['*.scenario.yaml'], schema: structuredClone(editorSchema()) },
  ],
});

let files = 0;

/** The server caches documents by their address. */
const documentOf = (text: string) => TextDocument.create(`file:///${files++}.scenario.yaml`, 'yaml', 1, text);

/** What is offered at the bar. */
async function offeredAt(step: string): Promise<string[]> {
  const [before = '', after = ''] = `scenario: X\nsteps:\n  ${step}`.split('|');
  const document = documentOf(before + after);
  const { items } = await server.doComplete(document, document.positionAt(before.length), false);
  return items.map(({ label }) => label);
}

describe('in flow style an editor offers', () => {
  test.each([
    ['the keys of a step', '- sos: {w|', ['who', 'with']],
    ['the keys of a step in closed braces', '- sos: {w|}', ['who', 'with']],
    ['further keys', '- sos: {who: ana, w|', ['with']],
    ['subjects', '- expect: {a|', ['alert', 'alerts', 'delivery', 'event', 'missing', 'muster', 'watch']],
    ['further keys of a check', '- expect: {alert: sos, s|}', ['of', 'severity', 'status', 'details']],
    ['the types of alerts', '- expect: {alert: |}', ['any', ...ALERT_TYPES]],
    ['severities', '- expect: {alert: sos, severity: |', SEVERITIES],
    ['severities after the first letter', '- expect: {alert: sos, severity: c|}', SEVERITIES],
    ['statuses', '- expect: {alert: sos, status: |}', ALERT_STATUSES],
    ['behaviours of a receiver', '- receiver: {name: erp, does: |', BEHAVIOUR_WORDS],
    ['behaviours in closed braces', '- receiver: {name: erp, does: |}', BEHAVIOUR_WORDS],
    ['words of a step', '- signal: {who: ana, is: |}', ['lost', 'back']],
  ])('%s: %s', async (_what, step, words) => {
    expect(await offeredAt(step)).toEqual(expect.arrayContaining([...words]));
  });

  // A limit of the server, whatever the schema: where the cursor is on a map that has `properties`, and the line has a colon,
  // it proposes no keys. When this test fails, a newer server does: move the rows up.
  test.each([
    '- sos: {|',
    '- sos: {|}',
    '- sos: {who: ana, |',
  ])('no keys before their first letter: %s', async (step) => {
    expect(await offeredAt(step)).toEqual([]);
  });
});

describe('in block style an editor offers', () => {
  test.each([
    ['steps', '- |', ['sos', 'fall', 'expect', 'within']],
    ['the keys of a step', '- receiver:\n      |', ['name', 'does', 'delay']],
    ['behaviours of a receiver', '- receiver:\n      name: erp\n      does: |', BEHAVIOUR_WORDS],
    ['severities', '- expect:\n      alert: sos\n      severity: |', SEVERITIES],
  ])('%s: %s', async (_what, step, words) => {
    expect(await offeredAt(step)).toEqual(expect.arrayContaining([...words]));
  });
});

describe('an editor marks', () => {
  const markedIn = async (text: string): Promise<string[]> =>
    (await server.doValidation(documentOf(text), false)).map(
      ({ range, message }) => `${range.start.line + 1}: ${message}`,
    );
  const shipped = readdirSync(SCENARIOS).filter((name) => name.endsWith('.scenario.yaml'));

  test.each(shipped)('nothing in %s', async (name) => {
    const text = readFileSync(join(SCENARIOS, name), 'utf8');
    // The schema that the first line names is the published one, which is given to the server here.
    expect(await markedIn(text.replace(/^# yaml-language-server:.*$/m, '#'))).toEqual([]);
  });

  test('a wrong word, at its line', async () => {
    const text =
      'scenario: X\nsteps:\n  - expect: {alert: sos, severity: hihg}\n  - receiver: {name: erp, does: slwo}\n';
    expect(await markedIn(text)).toEqual([expect.stringMatching(/^3: /), expect.stringMatching(/^4: /)]);
  });
});
