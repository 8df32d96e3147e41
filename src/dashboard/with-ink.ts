/** Loads what is drawn with Ink; nothing else of the command line does. */

/** chalk looks once, when it is loaded, whether the terminal knows colours. Here the theme decides that, so chalk writes them. */
export async function withInk<T>(load: () => Promise<T>): Promise<T> {
  const { FORCE_COLOR, NO_COLOR } = process.env;
  process.env['FORCE_COLOR'] = '1';
  // Node warns on stderr where both are set.
  delete process.env['NO_COLOR'];
  try {
    return await load();
  } finally {
    restore('FORCE_COLOR', FORCE_COLOR);
    restore('NO_COLOR', NO_COLOR);
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
