/** Checks the body of an action: first the name, then the fields of its row. */
import { ACTIONS, type ActionBody, type ActionName, actionBody } from './actions.ts';
import { type Checked, check } from './check.ts';
import { closest } from './sentences.ts';

/** The body of POST /v1/sandbox/actions, checked by the action's own schema [decisions 9]. */
export function checkAction(body: unknown): Checked<ActionBody> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return refuse('', 'must be an object');
  if (!Object.hasOwn(body, 'action')) return refuse('/action', 'is required');
  const { action } = body as { action: unknown };
  if (typeof action !== 'string') return refuse('/action', 'must be a string');
  if (!isActionName(action)) return refuse('/action', `is not an action${suggestion(action)}`);
  return check(actionBody(action), body) as Checked<ActionBody>;
}

export function isActionName(word: string): word is ActionName {
  return Object.hasOwn(ACTIONS, word);
}

function refuse(pointer: string, detail: string): Checked<ActionBody> {
  return { ok: false, errors: [{ pointer, detail }] };
}

function suggestion(wrong: string): string {
  const meant = closest(wrong, Object.keys(ACTIONS));
  return meant === undefined ? '; GET /v1/sandbox/actions lists them' : `; did you mean "${meant}"?`;
}
