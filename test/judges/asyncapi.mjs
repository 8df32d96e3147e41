/** The AsyncAPI parser judges the document that `sandbox asyncapi` prints: no error and no warning may be left. That there is a newer AsyncAPI is told only. */
import { execFileSync } from 'node:child_process';
import { DiagnosticSeverity, Parser } from '@asyncapi/parser';
import { BIN } from './sandbox.mjs';

const text = execFileSync(process.execPath, [BIN, 'asyncapi'], { maxBuffer: 64 * 1024 * 1024, encoding: 'utf8' });
const { document, diagnostics } = await new Parser().parse(text);
for (const { severity, code, message, path } of diagnostics)
  console.log(`${DiagnosticSeverity[severity]} ${code}: ${message}\n  at /${path.join('/')}`);
const count = (wanted) => diagnostics.filter(({ severity }) => severity === wanted).length;
const [errors, warnings] = [count(DiagnosticSeverity.Error), count(DiagnosticSeverity.Warning)];
const channels = document?.channels().all().length ?? 0;
const operations = document?.operations().all().length ?? 0;
console.log(`asyncapi parser: ${errors} errors, ${warnings} warnings (${channels} channels, ${operations} operations)`);
process.exitCode = document !== undefined && errors + warnings === 0 ? 0 : 1;
