/** How the title of a test begins: as a sentence with a subject, because reports print it without the lines around it. */

/** Pronouns and conjunctions that continue a sentence. */
const CONTINUES = 'that|who|whom|whose|which|where|though';

/** Whether a title, or the name of a group, begins in the middle of a sentence. */
export const hasNoSubject = (title: string): boolean => new RegExp(`^(?:${CONTINUES})\\b`, 'i').test(title);

/** The titles in a source that begin so: the first argument of a call, where another one follows. */
export const titlesWithoutSubject = (source: string): string[] =>
  [...source.matchAll(new RegExp(`\\(\\s*(['"\`])((?:${CONTINUES}) [^\\n]*?)\\1,`, 'gi'))].map(
    ([, , title]) => title as string,
  );
