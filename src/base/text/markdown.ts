/** Untrusted text in Markdown. */
import { printable } from './printable.ts';

/** Escapes a text for a line of Markdown, so that it cannot be a heading, cell, link, code or tag. */
export const markdownText = (text: string): string => printable(text).replace(/[\\`|<[\]]/g, '\\$&');
