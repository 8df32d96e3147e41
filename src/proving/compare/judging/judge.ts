/**
 * Judges traffic against the contract, without access to the service: status, headers and body of each answer by the route table,
 * and whether several answers agree about an alert, muster or event. Unknown fields and values are not deviations, because the
 * service may add some. [spec 2, 6, 7, decisions 2]
 */
import { Event } from '../../../contract/events.ts';
import type { ApiExchange, DeliveryTraffic, Deviation, Traffic } from '../exchange.ts';
import { ObjectHistory } from '../history/object-history.ts';
import { vitalSign } from './contents.ts';
import { routeOf } from './contract-routes.ts';
import { judgeDelivery } from './deliveries.ts';
import { Findings, parsed, schemaErrors } from './findings.ts';
import { judgeRefusal } from './refusals.ts';
import { judgeRequest, judgeSuccess } from './successes.ts';

interface ContractJudgeParts {
  /** Secrets of destinations, to verify signatures. Without any, only the form of signatures is judged. */
  readonly secrets: readonly string[];
  /** True if each answer arrived before the next request was sent. Default: not known. */
  readonly isSequential?: boolean;
}

/** Judges the traffic of one service, which must be added in chronological order. */
export class ContractJudge {
  readonly #secrets: readonly string[];
  readonly #history: ObjectHistory;
  /** Number of judged exchanges and deliveries, by operation. */
  readonly judged = new Map<string, number>();

  constructor({ secrets, isSequential = false }: ContractJudgeParts) {
    this.#secrets = secrets;
    this.#history = new ObjectHistory({ isSequential });
  }

  add(traffic: Traffic): Deviation[] {
    return traffic.kind === 'call' ? this.#call(traffic) : this.#delivery(traffic);
  }

  #call(call: ApiExchange): Deviation[] {
    // HEAD is GET without its body [decisions 1], and OPTIONS is the CORS preflight request of a browser.
    if (call.method === 'HEAD' || call.method === 'OPTIONS') return [];
    const route = routeOf(call);
    const operation = route === undefined ? `${call.method} ${call.path}` : `${route.method} ${route.path}`;
    this.#count(route === undefined ? 'unknown operation' : operation);
    const found = new Findings(operation, call);
    if (route === undefined) {
      if (!call.path.startsWith('/v1/') || call.path.startsWith('/v1/sandbox/')) return found.all;
      if (call.status >= 400) judgeRefusal(null, call, parsed(call, found), found);
      else
        found.add(
          'unknown-operation',
          '[spec 4]',
          '',
          `answers ${call.status}, but the contract has no such operation`,
        );
      return found.all;
    }
    const body = parsed(call, found);
    if (call.status >= 400) judgeRefusal(route, call, body, found);
    else if (!(call.status in route.answers))
      found.add(
        'status',
        '[spec 4]',
        '',
        `answers ${call.status}; the contract has ${Object.keys(route.answers).join(', ')}`,
      );
    else {
      judgeSuccess(route, call, body, found);
      judgeRequest(route, call, found);
    }
    judgeVitalSigns(body, found);
    if (call.status === 200 && call.isWithoutContent !== true)
      found.addAll(this.#history.answer(route, call, body, found.all.length === 0));
    return found.all;
  }

  #delivery(delivery: DeliveryTraffic): Deviation[] {
    this.#count('delivery');
    const found = new Findings('delivery', delivery);
    const body = parsed(delivery, found);
    if (delivery.isWithoutContent === true) judgeDelivery(delivery, [], undefined, found);
    if (body === undefined) return found.all;
    for (const { pointer, detail } of schemaErrors(Event, body)) found.add('body', '[spec 6]', pointer, detail);
    judgeVitalSigns(body, found);
    judgeDelivery(delivery, this.#secrets, body, found);
    found.addAll(this.#history.event(body, found.all.length === 0, null));
    return found.all;
  }

  #count(operation: string): void {
    this.judged.set(operation, (this.judged.get(operation) ?? 0) + 1);
  }
}

function judgeVitalSigns(body: unknown, found: Findings): void {
  const pointer = vitalSign(body);
  if (pointer !== null) found.add('vital-sign', '[spec 1]', pointer, 'is a vital sign, which the API never exposes');
}
