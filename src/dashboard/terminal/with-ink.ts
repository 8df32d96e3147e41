/** Loads Ink and React with the necessary environment variables. */

/**
 * chalk checks at load which colours the terminal has, but here the theme decides that: it has none that the terminal lacks. React checks at load for
 * production mode: in any other mode it measures each render, and Node keeps every measurement.
 */
export async function withInk<T>(load: () => Promise<T>): Promise<T> {
  const { FORCE_COLOR, NO_COLOR, NODE_ENV } = process.env;
  Object.assign(process.env, { FORCE_COLOR: '3', NODE_ENV: NODE_ENV ?? 'production' });
  // Node warns on stderr if both are set.
  delete process.env['NO_COLOR'];
  try {
    return await load();
  } finally {
    restore('FORCE_COLOR', FORCE_COLOR);
    restore('NO_COLOR', NO_COLOR);
    restore('NODE_ENV', NODE_ENV);
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
