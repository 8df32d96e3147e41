/** Does what a key asked for, by the control token. */
import type { Door } from './pass.ts';
import { ask } from './stream.ts';
import type { Order } from './view.ts';

/** Null where it was done, else why not, in the words of the sandbox. */
export async function obey(find: () => Door, { to, body }: Order): Promise<string | null> {
  try {
    return await ask(find(), to === 'act' ? '/v1/sandbox/actions' : '/v1/sandbox/clock', body);
  } catch (error) {
    return (error as Error).message;
  }
}
