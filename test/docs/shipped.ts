/** Which files of the repository are in the package, and which headings a page has. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { slugOf } from '../../src/service/api/guide/markdown.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: readonly string[] };

/** By `files` of package.json: a file, a folder, or a pattern with one star in a file name. */
export const isShipped = (path: string): boolean =>
  files.some((entry) => {
    if (!entry.includes('*')) return path === entry || path.startsWith(`${entry}/`);
    return new RegExp(`^${entry.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`).test(path);
  });

/** The anchors of the headings, as the guide and common Markdown viewers make them. */
export const headingsOf = (markdown: string): string[] =>
  [...markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) => slugOf(title));
