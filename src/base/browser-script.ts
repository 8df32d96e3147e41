/** A script for the browser: a file next to the bundle in a package, or built by esbuild on demand in a clone. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * `shipped`: the file next to the bundle. `source`: the entry file in a clone. Both are URLs that the caller resolves
 * from its own file.
 */
export async function browserScript(shipped: URL, source: URL, format: 'esm' | 'iife'): Promise<string> {
  const file = fileURLToPath(shipped);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  // The name is in a variable, so that bundlers do not include the bundler.
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
