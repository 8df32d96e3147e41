/** Bundles the sources for publishing: no runtime dependency but the native one (libsql). */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

rmSync('dist', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: { cli: 'src/cli/main.ts', index: 'src/index.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  minify: true,
  keepNames: false,
  legalComments: 'none',
  // Ink loads the other one for debugging only, where DEV is set.
  external: ['libsql', 'react-devtools-core'],
  metafile: true,
  chunkNames: 'chunk-[hash]',
  define: { 'process.env.NODE_ENV': '"production"' },
  // Bundled CommonJS asks for Node's modules by require.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
});

// What the pages of the panel load; a browser bundles nothing by itself.
await build({
  entryPoints: { panel: 'src/panel/browser/main.ts' },
  outdir: 'dist',
  bundle: true,
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
});

// The licences of what is bundled go with it.
const packages = new Set();
for (const path of Object.keys(metafile.inputs)) {
  const match = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
  if (match) packages.add(match[1]);
}
const notices = [...packages].sort().map((name) => {
  const { version, license } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'));
  let text = '';
  for (const file of ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'License', 'LICENCE'])
    try {
      text = readFileSync(`node_modules/${name}/${file}`, 'utf8').trim();
      break;
    } catch {
      // Another spelling, then.
    }
  return `${name} ${version} (${license})\n\n${text}\n`;
});
writeFileSync(
  'dist/NOTICES.txt',
  `What is bundled in these files, and under which licence.\n\n${notices.join('\n---\n\n')}`,
);

// The entry's types stand on their own, so its declaration is the only one that is published.
execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
copyFileSync('dist/types/index.d.ts', 'dist/index.d.ts');
rmSync('dist/types', { recursive: true });
