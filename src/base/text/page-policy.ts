/** The Content-Security-Policy of a report: only its own style and script, by their hashes, and no requests. */
import { createHash } from 'node:crypto';
import { Html } from './html.ts';

export function pagePolicy(style: string, script: string): Html {
  const directives = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return new Html(`<meta http-equiv="Content-Security-Policy" content="${directives.join('; ')}">`);
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
