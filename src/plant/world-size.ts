/** How many watches a world has. Apart from the world itself, so that a flag can name them without loading it. */

/** The most watches that a world is planned for. */
export const MOST_WATCHES = 100_000;

/** The watches of the three plants, if no number is given. */
export const DEFAULT_WATCHES = 110;
