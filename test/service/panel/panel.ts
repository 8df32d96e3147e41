/** A sandbox with its panel. */
import { lockstepClock } from '../../../src/base/time/clocks.ts';
import type { ActionBody } from '../../../src/contract/actions.ts';
import type { SandboxOptions } from '../../../src/sandbox/options/options.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/start.ts';
import { isRejection } from '../../../src/service/domain/changes.ts';
import type { Worker } from '../../../src/service/domain/world/documents.ts';

export const START = Date.UTC(2026, 9, 5, 15);

let made = 0;

export class Panel {
  readonly sandbox: Sandbox;
  readonly clock: ReturnType<typeof lockstepClock>;
  readonly url: string;

  private constructor(sandbox: Sandbox, clock: ReturnType<typeof lockstepClock>) {
    this.sandbox = sandbox;
    this.clock = clock;
    this.url = sandbox.ready.api_url;
  }

  static async start(options: SandboxOptions = {}): Promise<Panel> {
    const clock = lockstepClock({ start: START });
    const sandbox = await startSandbox({
      memory: true,
      port: 0,
      mqttPort: 0,
      seed: 'panel',
      dataDir: `panel-${process.pid}-${++made}`,
      ...options,
      clock,
    });
    return new Panel(sandbox, clock);
  }

  async stop(): Promise<void> {
    await this.sandbox.stop();
    this.clock.stop();
  }

  get token(): string {
    return this.sandbox.ready.control_token;
  }

  /** The name that its cookie has. */
  async cookie(): Promise<string> {
    const answer = await this.get(`/panel?token=${this.token}`);
    return (answer.headers.get('set-cookie') ?? '').split(';')[0] as string;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, { headers, redirect: 'manual' });
  }

  async text(path: string, headers: Record<string, string> = {}): Promise<string> {
    return (await this.get(path, headers)).text();
  }

  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: this.url, ...headers },
      redirect: 'manual',
    });
  }

  async act(body: ActionBody): Promise<Record<string, string | number | boolean | undefined>> {
    const outcome = await this.sandbox.act(body);
    if (isRejection(outcome)) throw new Error(`${body.action}: ${outcome.detail}`);
    return 'result' in outcome.answer ? outcome.answer.result : (outcome.answer.results[0] ?? {});
  }

  siteId(name: string): string {
    return [...this.sandbox.engine.world.all('site')].find((site) => site.name === name)?.id ?? '';
  }

  worker(code: string): Worker {
    return [...this.sandbox.engine.world.all('worker')].find(({ externalId }) => externalId === code) as Worker;
  }

  workerId(code: string): string {
    return this.worker(code).id;
  }
}

/** The text of a page. */
export const words = (page: string): string =>
  page
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
