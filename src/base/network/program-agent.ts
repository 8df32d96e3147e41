/**
 * How the programs of this package name themselves in their requests, unless a program has a name of its own that begins
 * with it. The request log tells their requests from those of the user's programs by it. [decisions 9]
 */
export const PROGRAM_AGENT = 'muster-sandbox';

/** User agent of the requests that a scenario's own steps make. */
export const SCENARIO_AGENT = `${PROGRAM_AGENT}-scenario`;

/** The path of receivers of this package: of `sandbox listen` that forwards to nobody, and of the library. Not the user's. */
export const LISTEN_PATH = '/sandbox-listen';
