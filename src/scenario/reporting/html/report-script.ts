/** The script of a report, bundled from `browser/` and embedded in the page. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

let known: string | null = null;

/** In a package the script is next to the bundle; in a clone esbuild builds it for the first report. */
export function reportScript(): string {
  known ??= scriptText().trim();
  return known;
}

function scriptText(): string {
  const shipped = fileURLToPath(new URL('./report.js', import.meta.url));
  if (existsSync(shipped)) return readFileSync(shipped, 'utf8');
  // The name is in a variable, so that bundlers do not include the bundler.
  const bundler = 'esbuild';
  const { buildSync } = createRequire(import.meta.url)(bundler) as typeof import('esbuild');
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL('./browser/main.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    charset: 'ascii',
  });
  return outputFiles[0]?.text ?? '';
}
