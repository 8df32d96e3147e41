/** A person at the terminal as the driver of the device: prompts on stderr, answers from the keyboard. [cli, certify] */
import { createInterface, type Interface } from 'node:readline';
import type { DeviceCommand, DeviceDriver, DeviceReply } from '../../proving/certify/watch/device-driver.ts';
import { colourOf, talkLine } from '../output.ts';

/** Time limit for the effect of a press; wall milliseconds. */
const EFFECT_WITHIN_MS = 10_000;

export class TerminalWearer implements DeviceDriver {
  readonly patienceMs = EFFECT_WITHIN_MS;
  readonly #lines: Interface = createInterface({ input: process.stdin });
  readonly #paint = colourOf(process.stderr);

  async ask(_command: DeviceCommand, words: string | null): Promise<DeviceReply> {
    if (words === null) return { isDone: false, why: 'no person can do that to a watch' };
    const line = await this.#question(`${words}  Then Enter, or s to skip.`);
    return line === 's' ? { isDone: false, why: 'skipped at the terminal' } : { isDone: true, shows: null };
  }

  async looks(question: string): Promise<boolean | null> {
    const line = await this.#question(`${question}  y, n, or s to skip.`);
    return line.startsWith('y') ? true : line.startsWith('n') ? false : null;
  }

  close(): void {
    this.#lines.close();
  }

  #question(text: string): Promise<string> {
    talkLine(`${this.#paint('amber', '>>')} ${text}`);
    return new Promise((resolve) => {
      this.#lines.once('line', (line) => resolve(line.trim().toLowerCase()));
      // When the input ends, the remaining questions are skipped.
      this.#lines.once('close', () => resolve('s'));
    });
  }
}
