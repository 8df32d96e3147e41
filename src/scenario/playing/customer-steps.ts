/** Performs the steps of the customer's side: API calls, destinations, and the behaviour of receivers. */

import { type Clock, type Instant, LANE } from '../../base/time/clock.ts';
import type { JsonMap } from '../../contract/schema.ts';
import type { ApiRefusal, Customer } from '../customer/customer.ts';
import type { HttpAnswer } from '../customer/http-client.ts';
import { mismatchTable } from '../judging/failure-text.ts';
import type { RunReporter } from '../judging/run-reporter.ts';
import type { StepTrack } from '../judging/track.ts';
import { portableRows } from '../log/canonical-log.ts';
import type { RunRecord } from '../log/run-record.ts';
import type { SpanDraws } from '../model/draws.ts';
import { type MatchContext, type Mismatch, mismatches } from '../model/matchers.ts';
import type { ReceiverBehaviour } from '../model/receiver-behaviour.ts';
import { filled, filledText } from '../model/references.ts';
import type { ApiBody, ReceiverBody, StepFrame, WebhookTurn } from '../model/scenario.ts';
import type { StepWork } from './step-work.ts';

export interface CustomerPorts {
  /** Null: the file's own company. */
  customerOf(company: string | null): Pick<Customer, 'updateAlert' | 'call'>;
  /** `isAnnounced`: a new secret is sent to the user's own system. */
  webhook(turn: WebhookTurn, receiver: string, isAnnounced: boolean): Promise<ApiRefusal | null>;
  /** Returns false for a receiver that is not built in. */
  behave(receiver: string, does: readonly ReceiverBehaviour[], delayMs: number | null): Promise<boolean>;
}

interface CustomerStepsParts {
  readonly clock: Clock;
  readonly record: RunRecord;
  readonly spans: SpanDraws;
  readonly reporter: RunReporter;
  readonly steps: StepWork;
  readonly ports: CustomerPorts;
  workerIds(who: string): readonly string[];
  readonly personOf: (workerId: string) => string | undefined;
  /** Called when a reply equals the expected one. */
  onPassed(): void;
}

type FramedStep<B> = StepFrame & B;
type WebhookBody = { readonly turn: WebhookTurn; readonly receiver: string; readonly isAnnounced: boolean };

export class CustomerSteps {
  readonly #parts: CustomerStepsParts;

  constructor(parts: CustomerStepsParts) {
    this.#parts = parts;
  }

  async api(step: FramedStep<ApiBody>, begin: Instant, track: StepTrack): Promise<Instant> {
    const { record, reporter, steps, ports, spans } = this.#parts;
    const named = (name: string) => track.names.get(name);
    const path = filledText(step.path, named);
    const query = filled(step.query, named);
    const body = filled(step.body, named);
    for (const one of [path, query, body]) if (!one.ok) return steps.unnamed(step, one.missing, track, begin);
    if (isAction(step)) track.act(record.position);
    else track.call(record.position);
    reporter.log({ k: 'act', step: 'api', line: step.line, who: step.company ?? '', d: { call: step.text } });
    const call = {
      method: step.method,
      token: step.token,
      scope: step.scope,
      path: withQuery(inside(path) as string, inside(query) as JsonMap),
      body: inside(body),
    };
    const times = spans.times(step.times, step);
    const answer = await steps.work(step, async () => {
      const customer = ports.customerOf(step.company);
      let last = await customer.call(call);
      for (let time = 1; time < times; time++) last = await customer.call(call);
      return last;
    });
    const isRight = this.#judge(step, answer, track);
    if (step.as !== null && isRight)
      track.names.set(step.as, { kind: 'answer', id: idOfBody(answer.body) ?? '', body: answer.body }, track.began);
    else if (step.as !== null) track.names.setUnbound(step.as, step);
    return steps.actedAt(begin);
  }

  async webhook(step: FramedStep<WebhookBody>, begin: Instant, track: StepTrack): Promise<Instant> {
    const { record, reporter, steps, ports } = this.#parts;
    track.act(record.position);
    reporter.log({ k: 'act', step: 'webhook', line: step.line, who: step.receiver, d: { turn: step.turn } });
    const refusal = await steps.work(step, () => ports.webhook(step.turn, step.receiver, step.isAnnounced));
    if (refusal !== null) return steps.refused(step, refusal, track, begin);
    steps.succeeded(step);
    return steps.actedAt(begin);
  }

  async receiver(step: FramedStep<ReceiverBody>, begin: Instant, track: StepTrack): Promise<Instant> {
    const { record, reporter, steps, ports, clock, spans } = this.#parts;
    const { receiver, does } = step;
    const delayMs = step.delayMs === null ? null : spans.ms(step.delayMs, step, 'delay');
    track.act(record.position);
    reporter.log({ k: 'act', step: 'receiver', line: step.line, who: receiver, d: { does, delay: delayMs } });
    const built = await steps.work(step, () => ports.behave(receiver, does, delayMs));
    if (!built)
      return steps.refuse(
        step,
        `${receiver} is your own receiver: it answers as it does. Make it misbehave yourself.`,
        'own_receiver',
        track.names,
        begin,
      );
    if (step.forMs === null) return steps.actedAt(begin);
    clock.at(begin + spans.ms(step.forMs, step, 'for'), { lane: LANE.step, actor: `receiver ${receiver}` }, () => {
      void steps.work(step, () => ports.behave(receiver, ['ok'], null));
    });
    return steps.actedAt(begin);
  }

  /** Returns true if the reply matches the expected one, or if any reply is accepted. */
  #judge(step: FramedStep<ApiBody>, answer: HttpAnswer, track: StepTrack): boolean {
    const { reporter, clock, workerIds, personOf, onPassed } = this.#parts;
    const { status, body, headers } = answer;
    reporter.log({ k: 'answer', line: step.line, d: { status, code: codeOf(body) } });
    if (step.answers === null) return true;
    const around: MatchContext = { named: (name) => track.names.get(name), workerIds, personOf };
    const missed = mismatches(step.answers, { status, code: codeOf(body), body, headers }, around);
    const passed = missed.length === 0;
    if (passed) onPassed();
    else reporter.checkFailed(step);
    const kind = passed ? 'expectation-passed' : 'expectation-failed';
    reporter.notice({ kind, line: step.line, atMs: clock.now() - reporter.start, waitedMs: 0, text: step.text });
    // The rest of a reply may hold tokens and wall times.
    const logged = passed
      ? {}
      : { missed: portableRows(missed.filter(({ path }) => ['status', 'code'].includes(path))) };
    const verdict = passed ? 'passed' : 'failed';
    reporter.log({ k: 'expect', line: step.line, d: { verdict, check: step.text, ...logged } });
    const why = (whole: boolean) => [...mismatchTable(missed, whole), ...detailOf(missed, answer)].join('\n');
    if (!passed) reporter.failStep(step, { cut: why(false), whole: why(true), rows: missed });
    return passed;
  }
}

/** A call that only reads changes nothing, unless the refusal of its token is what is looked at. */
const isAction = ({ method, token }: ApiBody): boolean =>
  method !== 'GET' || token === 'expired' || token === 'revoked' || token === 'narrow';

function inside(one: ReturnType<typeof filled>): unknown {
  return one.ok ? one.value : undefined;
}

/** The code of a problem, or the error of the token endpoint. */
function codeOf(body: unknown): string | null {
  const { code, error } = (typeof body === 'object' && body !== null ? body : {}) as { code?: string; error?: string };
  return code ?? error ?? null;
}

/**
 * Returns the problem's detail if the status differs from the expected one, and whether the token request was refused.
 */
function detailOf(missed: readonly Mismatch[], { body, ofTokenRequest }: HttpAnswer): string[] {
  const problem = (typeof body === 'object' && body !== null ? body : {}) as {
    detail?: string;
    error_description?: string;
  };
  const detail = problem.detail ?? problem.error_description;
  if (ofTokenRequest === true)
    return [
      `the call was not made: the token endpoint answered this${detail === undefined ? '' : `, and says: ${detail}`}`,
    ];
  return detail !== undefined && missed.some(({ path }) => path === 'status') ? [`the API says: ${detail}`] : [];
}

function idOfBody(body: unknown): string | undefined {
  const { id } = (typeof body === 'object' && body !== null ? body : {}) as { id?: unknown };
  return typeof id === 'string' ? id : undefined;
}

/** Lists become repeated parameters; null and undefined are omitted. [decisions 1] */
function withQuery(path: string, query: JsonMap): string {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    [value].flat().flatMap((one) => (one === null || one === undefined ? [] : [[key, String(one)]])),
  );
  if (pairs.length === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(pairs as [string, string][]).toString()}`;
}
