/** Finds the steps of a scenario that exceed the permissions of the token that starts it. [decisions 9] */

import { ACTIONS, type ActionName, fieldsHolding } from '../../contract/actions.ts';
import type { Scope } from '../../contract/enumerations.ts';
import { scopesAt } from '../../contract/operations/all.ts';
import type { PlannedWorker } from '../../plant/plan.ts';
import type { ApiBody, FieldValue, Scenario, ScenarioStep } from '../../scenario/model/scenario.ts';
import { mayRead, seesContractor, type TokenViewer } from '../../service/domain/access/viewer.ts';
import { stepsOf } from './suits.ts';

/** A step, and the reason why the token may not perform it. */
export interface StepBeyond {
  readonly line: number;
  readonly text: string;
}

const CONTROL = 'needs the control token';

/** Returns the steps in the order of the file; empty if the token may perform all of them. */
export function stepsBeyond(scenario: Scenario, viewer: TokenViewer): StepBeyond[] {
  const found: StepBeyond[] = [];
  const say = (line: number, text: string, why: string | null): void => {
    if (why !== null) found.push({ line, text: `${text}: ${why}.` });
  };
  if (scenario.receivers.length > 0) say(1, 'receivers', lacking(['webhooks:manage'], viewer));
  for (const step of stepsOf(scenario)) say(step.line, step.text, whyBeyond(step, scenario, viewer));
  for (const { line, text, subject } of [...scenario.rules, ...scenario.whens])
    say(line, text, lacking(subject.scopes, viewer));
  return found.sort((a, b) => a.line - b.line);
}

function whyBeyond({ permission }: ScenarioStep, scenario: Scenario, viewer: TokenViewer): string | null {
  switch (permission.kind) {
    case 'free':
      return null;
    case 'scopes':
      return lacking(permission.scopes, viewer);
    case 'control':
      return `${permission.what} ${CONTROL}`;
    case 'action': {
      const { action, fields } = permission;
      if (!ACTIONS[action].clientMay) return CONTROL;
      const watches = fieldsHolding(action, 'watch').flatMap((key) => fields[key] ?? []);
      if (!watches.every((watch) => isWatchOf(scenario, watch))) return `a watch that is new to the company ${CONTROL}`;
      return whomNot(action, fields, scenario, viewer);
    }
    case 'call':
      return whyNoCall(permission.call, viewer);
  }
}

function whyNoCall({ method, path, token, scope }: ApiBody, viewer: TokenViewer): string | null {
  if (token === 'expired' || token === 'revoked') return `token: ${token} ${CONTROL}`;
  if (viewer.scopes.length === 0) return 'the token has no scope left';
  const route: readonly Scope[] = scopesAt(method, path);
  if (token === 'narrow' && viewer.scopes.every((one) => route.includes(one)))
    return `token: narrow, with no other scope than the route's, ${CONTROL}`;
  const wider = scope?.split(' ').find((one) => !(viewer.scopes as readonly string[]).includes(one));
  return wider === undefined ? null : `the token lacks the scope ${wider}`;
}

function lacking(scopes: readonly Scope[], viewer: TokenViewer): string | null {
  const lacks = scopes.filter((scope) => !mayRead(viewer, scope));
  return lacks.length === 0 ? null : `the token lacks ${lacks.join(' and ')}`;
}

/**
 * Checks the people who act, and the colleagues who are given as a place: people outside of the contract do not exist
 * for the token. [decisions 4]
 */
function whomNot(
  action: ActionName,
  fields: Readonly<Record<string, FieldValue>>,
  scenario: Scenario,
  viewer: TokenViewer,
): string | null {
  const named = fieldsHolding(action, 'people', 'destination').flatMap((key) => {
    const field = fields[key];
    if (field?.kind === 'people') return field.who.map(({ name }) => name);
    return field?.kind === 'plain' ? [field.value].flat() : [];
  });
  const hidden = named.find((name) =>
    castOf(scenario, name).some((worker) => !seesContractor(viewer, worker.contractor)),
  );
  return hidden === undefined ? null : `the contract of this client does not show ${String(hidden)}`;
}

const workersOf = ({ plan }: Scenario): PlannedWorker[] =>
  plan.organizations.flatMap(({ sites }) => sites.flatMap(({ workers }) => workers));

function castOf(scenario: Scenario, name: unknown): PlannedWorker[] {
  const externalIds = typeof name === 'string' ? scenario.cast.get(name) : undefined;
  return externalIds === undefined
    ? []
    : workersOf(scenario).filter(({ externalId }) => externalId !== null && externalIds.includes(externalId));
}

const isWatchOf = (scenario: Scenario, field: FieldValue): boolean =>
  field.kind === 'plain' && workersOf(scenario).some(({ watch }) => watch.serial === field.value);
