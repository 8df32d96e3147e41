/** A commit as it stands in the log of the nodes: one line of JSON, in which documents are the texts that stand in their table. */
import type { TurnBody, TurnRest } from '../../engine/shared-turns.ts';
import type { TurnRows } from '../postgres/writer.ts';

export function turnText({ puts, removals, events, attempts }: TurnRows, { deliveries, effects }: TurnRest): string {
  const documents = puts.map(({ kind, id, body }) => `[${JSON.stringify(kind)},${JSON.stringify(id)},${body}]`);
  const rest = JSON.stringify({ removals, events, attempts, deliveries, effects });
  return `{"puts":[${documents.join(',')}],${rest.slice(1)}`;
}

export const turnOfText = (text: string): TurnBody => JSON.parse(text) as TurnBody;
