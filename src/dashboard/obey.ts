/** Executes the order of a key: with the control token, in a browser, or with the terminal's clipboard. */
import type { SandboxAccess } from './pass.ts';
import { ask } from './stream.ts';
import type { ViewOrder } from './view.ts';

interface Hands {
  readonly find: () => SandboxAccess;
  /** Opens an address outside the terminal; returns false if there is no browser. */
  readonly browse: (url: string) => boolean;
  readonly copy: (text: string) => void;
}

/** Returns the reply to show; `isBad`: true if the order was refused or failed. The text is that of the sandbox. */
export async function obey(
  order: ViewOrder,
  { find, browse, copy }: Hands,
): Promise<{ readonly text: string; readonly isBad: boolean }> {
  const { reply } = order;
  try {
    switch (order.to) {
      case 'browser': {
        const url = order.url.startsWith('/') ? `${find().apiUrl}${order.url}` : order.url;
        return { text: browse(url) ? `${reply}: ${url}` : url, isBad: false };
      }
      case 'clipboard':
        copy(order.text);
        return { text: reply, isBad: false };
      case 'act':
      case 'clock': {
        const refusal = await ask(find(), order.to === 'act' ? '/v1/sandbox/actions' : '/v1/sandbox/clock', order.body);
        return { text: refusal ?? reply, isBad: refusal !== null };
      }
    }
  } catch (error) {
    return { text: (error as Error).message, isBad: true };
  }
}
