/** The inbox: session destinations whose receiver is the sandbox itself, for users without a receiver. [decisions 7, 9] */
import { randomId, sameSecret } from '../../base/ids.ts';
import { isRejection } from '../domain/changes.ts';
import { signatureOf } from '../domain/deliveries/signature.ts';
import type { ExplainParts } from '../engine/log-rows.ts';
import type { ActionReply } from './do.ts';
import { INBOX_LISTENER } from './logs.ts';

export interface InboxParts extends ExplainParts {
  /** The address at which the delivering process reaches this API. */
  readonly ownUrl: () => string;
}

const PATH = '/panel/inbox/';

/** Creates one destination per company. If the inbox is already open, nothing changes. */
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
      // The certificate is that of the sandbox itself, so it is not verified.
      session: { skipVerify: true, listener: INBOX_LISTENER },
    });
}

/** Deletes the inboxes; their waiting deliveries are dropped. */
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

/** The reply of the inbox to a delivery: it accepts any request with a valid signature of the company's inbox. */
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
