/**
 * Redocly and two validators of OpenAPI 3.0 judge the documents that `sandbox openapi` prints: no error and no warning may be
 * left. Redocly also judges each example by schemas that forbid other fields than the documented ones.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { closed } from './closed.mjs';
import { printed } from './generators.mjs';
import { redocly } from './redocly.mjs';
import { inOwnFolder } from './sandbox.mjs';

const CONFIG = join(import.meta.dirname, 'redocly.yaml');

/** Rules that a 3.0 document breaks on purpose, each with its reason. */
const NOT_OF_30 = [
  // Callbacks are judged as operations, and the answer of a receiver is documented as `default`; the rule leaves webhooks alone.
  'operation-4xx-response',
  // The messages of the stream are the content of a text, which 3.0 cannot say, so nothing refers to their schemas.
  'no-unused-components',
];

/** A nullable reference is not written by the letter of 3.0.3 (see src/service/api/openapi/schema30.ts), so the rules that go by it are left out. */
const NOT_BY_LETTER = ['nullable-type-sibling', 'no-invalid-media-type-examples'];

/** The same with nullable references by the letter of 3.0.3, for the rules above: a validator that goes by it then admits null. */
function byLetter(value) {
  if (Array.isArray(value)) return value.map(byLetter);
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, allOf, ...rest } = value;
  const isReference = nullable === true && allOf?.length === 1;
  const parts = isReference ? { ...rest, anyOf: [...allOf, { type: 'object', nullable, enum: [null] }] } : value;
  return Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, byLetter(part)]));
}

/** What is wrong with a document, in words; null: nothing. */
const VALIDATORS = {
  'swagger-parser': (document) =>
    SwaggerParser.validate(document).then(
      () => null,
      (error) => error.message,
    ),
  'openapi-schema-validator': async (document) => {
    const { valid, errors } = await new Validator().validate(document);
    return valid ? null : JSON.stringify(errors);
  },
};

await inOwnFolder(async (folder) => {
  const lint = async (name, document, skipped = []) => {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(document));
    const { stdout, stderr, status } = await redocly(
      ...['lint', file, '--config', CONFIG, '--format', 'json', '--max-problems', '1000'],
      ...skipped.flatMap((rule) => ['--skip-rule', rule]),
    );
    const { totals, problems } = read(stdout, stderr);
    for (const { severity, ruleId, message, location } of problems)
      console.log(`${severity} ${ruleId}: ${message}\n  at ${location?.[0]?.pointer ?? '?'}`);
    console.log(`redocly: ${name}: ${totals.errors} errors, ${totals.warnings} warnings`);
    if (status !== 0 || totals.errors + totals.warnings > 0) process.exitCode = 1;
  };
  for (const flags of [[], ['--sandbox']]) {
    const name = ['openapi', ...flags].join(' ');
    const [document, document30] = [printed(...flags), printed('--format', 'openapi-3.0', ...flags)];
    await lint(name, document);
    await lint(`${name}, examples with every field documented`, closed(document));
    await lint(`${name} --format openapi-3.0`, document30, [...NOT_OF_30, ...NOT_BY_LETTER]);
    await lint(`${name} --format openapi-3.0, examples`, closed(byLetter(document30)), NOT_OF_30);
    await validate(`${name} --format openapi-3.0`, document30);
  }
});

/** Both judge by the JSON Schema of OpenAPI 3.0 and follow the references. */
async function validate(name, document) {
  const spoilt = structuredClone(document);
  Object.values(spoilt.components.schemas)[0].type = ['string', 'null'];
  for (const [judge, wrongOf] of Object.entries(VALIDATORS)) {
    const wrong = await wrongOf(structuredClone(document));
    if (wrong !== null) console.log(`  ${wrong}`);
    const isBlind = (await wrongOf(structuredClone(spoilt))) === null;
    if (isBlind) console.log(`${judge}: sees no type of 3.1 in a document of 3.0, so this judge sees nothing`);
    console.log(`${judge}: ${name}: ${wrong === null ? 'valid' : 'not valid'}`);
    if (wrong !== null || isBlind) process.exitCode = 1;
  }
}

/** What is no report is a failure of the judge itself, told in its own words. */
function read(stdout, stderr) {
  try {
    return JSON.parse(stdout);
  } catch {
    throw new Error(`Redocly gave no report: ${stderr || stdout}`);
  }
}
