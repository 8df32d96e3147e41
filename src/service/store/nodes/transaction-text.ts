/** The text of a commit in the log of the nodes: one line of JSON that contains documents as the texts of their table. */
import type { TransactionBody, TransactionRest } from '../../engine/shared-transactions.ts';
import type { TransactionRows } from '../postgres/writer.ts';

export function transactionText(
  { puts, removals, events, attempts }: TransactionRows,
  { deliveries, effects }: TransactionRest,
): string {
  const documents = puts.map(({ kind, id, body }) => `[${JSON.stringify(kind)},${JSON.stringify(id)},${body}]`);
  const rest = JSON.stringify({ removals, events, attempts, deliveries, effects });
  return `{"puts":[${documents.join(',')}],${rest.slice(1)}`;
}

export const transactionOfText = (text: string): TransactionBody => JSON.parse(text) as TransactionBody;
