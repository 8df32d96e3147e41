/** A script that a browser loads: beside the bundle in a package, made by esbuild at the first request in a clone. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** `shipped`: the file beside the bundle. `source`: the entry in a clone. Both are URLs that the caller resolves from its own file. */
export async function browserScript(shipped: URL, source: URL, format: 'esm' | 'iife'): Promise<string> {
  const file = fileURLToPath(shipped);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  // A variable hides the bundler from bundlers.
  const bundler = 'esbuild';
  const { build } = (await import(bundler)) as typeof import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(source)],
    bundle: true,
    write: false,
    format,
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
  });
  return outputFiles[0]?.text ?? '';
}
