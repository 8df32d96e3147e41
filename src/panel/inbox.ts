/** The inbox: session destinations whose receiver is the sandbox itself, for users without a receiver. [decisions 7, 9] */
import { randomId, sameSecret } from '../base/ids.ts';
import { isRejection } from '../domain/changes.ts';
import { signatureOf } from '../domain/deliveries/signature.ts';
import type { ExplainParts } from '../engine/log-rows.ts';
import type { ActionReply } from './do.ts';
import { INBOX_LISTENER } from './logs.ts';

export interface InboxParts extends ExplainParts {
  /** The address at which the process that delivers reaches this API. */
  readonly ownUrl: () => string;
}

const PATH = '/panel/inbox/';

/** One destination for each company. Opening an open inbox changes nothing. */
export async function openInbox({ engine, sessionSecret, ownUrl }: InboxParts): Promise<void> {
  const clients = await engine.read((plant) => [...plant.all('client')]);
  for (const { id: clientId, organizationId } of clients)
    await engine.submit({
      type: 'create-destination',
      organizationId,
      clientId,
      url: `${ownUrl()}${PATH}${organizationId}`,
      eventTypes: ['alert.*', 'muster.*'],
      filters: {},
      secret: sessionSecret(organizationId),
      // The certificate is the sandbox's own.
      session: { skipVerify: true, listener: INBOX_LISTENER },
    });
}

/** What waits for it is dropped. */
export async function closeInbox({ engine }: InboxParts): Promise<void> {
  const inboxes = await engine.read((plant) =>
    [...plant.all('destination')].filter(({ session }) => session?.listener === INBOX_LISTENER),
  );
  for (const { id: destinationId } of inboxes) await engine.submit({ type: 'delete-destination', destinationId });
}

export async function sendTest({ engine }: InboxParts, destinationId: string): Promise<ActionReply> {
  const outcome = await engine.submit({ type: 'test-destination', destinationId, nonce: randomId() });
  return isRejection(outcome)
    ? { status: 404, text: outcome.detail }
    : { status: 200, text: 'A test event is on its way.' };
}

/** What the inbox answers to a delivery: any request whose signature is that of the company's inbox. */
export function receive(
  { sessionSecret }: InboxParts,
  organizationId: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
): ActionReply {
  const timestamp = Number(headers['x-service-timestamp'] ?? Number.NaN);
  const expected = signatureOf(sessionSecret(organizationId), timestamp, body);
  return sameSecret(String(headers['x-service-signature'] ?? ''), expected)
    ? { status: 204, text: '' }
    : { status: 401, text: 'X-Service-Signature does not fit the body and the secret of this inbox.\n' };
}
