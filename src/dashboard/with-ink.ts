/** Loads what is drawn with Ink; nothing else of the command line does. */

/**
 * chalk looks once, when it is loaded, whether the terminal knows colours; here the theme decides that, so chalk writes them.
 * React likewise looks once whether it is in production; else it measures each render, and Node keeps every measurement.
 */
export async function withInk<T>(load: () => Promise<T>): Promise<T> {
  const { FORCE_COLOR, NO_COLOR, NODE_ENV } = process.env;
  Object.assign(process.env, { FORCE_COLOR: '1', NODE_ENV: NODE_ENV ?? 'production' });
  // Node warns on stderr where both are set.
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
