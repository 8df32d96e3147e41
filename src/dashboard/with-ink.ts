/** Loads what is drawn with Ink; nothing else of the command line does. */

/** chalk looks once, when it is loaded, whether the terminal knows colours. Here the theme decides that, so chalk writes them. */
export async function withInk<T>(load: () => Promise<T>): Promise<T> {
  const { FORCE_COLOR } = process.env;
  process.env['FORCE_COLOR'] = '1';
  try {
    return await load();
  } finally {
    if (FORCE_COLOR === undefined) delete process.env['FORCE_COLOR'];
    else process.env['FORCE_COLOR'] = FORCE_COLOR;
  }
}
