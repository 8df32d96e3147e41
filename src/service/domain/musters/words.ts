/** The lines of a muster's timeline that a report parses: written and parsed in one place. */

export const excludedLine = (point: string): string => `Excluded ${point}`;
export const reinstatedLine = (point: string): string => `Reinstated ${point}`;
