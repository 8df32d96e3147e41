/** The receiver's side of a delivery: payload, signature, and expected answer. [spec 4, 5, 6, decisions 7] */
import { AlertEvent, MusterEvent } from '../../contract/events.ts';
import type { Media, Operation, Parameter, PathItem } from './document.ts';
import type { ExampleDelivery, Recorded } from './examples.ts';
import type { Components } from './schemas.ts';

const SIGNED = `Sent to every destination that is subscribed to it: one \`POST\` for each event, signed, without a token.

**Signature.** \`X-Service-Signature\` is \`v1=\` and the lowercase hexadecimal HMAC-SHA256 of \`<X-Service-Timestamp>.<raw body>\`, keyed with the whole secret of the destination (\`whsec_...\`). During a rotation it holds two, separated by a comma; either may match. Compute it over the bytes as they came, compare in constant time, and reject a timestamp more than 5 minutes away from your clock.

**Answer.** Any 2xx within 5 s is a delivery; a redirect is a failure. Failed attempts are repeated 10 s, 30 s, 2 min, 10 min, 30 min and 1 h after the event, then every hour until 24 h. After that it is lost, but it stays in the event log for 30 days.

**Order.** Delivery is at-least-once and in no order. Deduplicate by \`id\`, order events by \`created_at\`, and discard an alert whose \`date_last_modified\` is older than what you hold.`;

const ALIKE = 'Sent, signed, repeated and ordered as the events of alerts are: see `alertEvent`.';

/** One per group of event types. */
export function receiverContract(components: Components, recorded: Recorded): Record<string, PathItem> {
  return {
    alertEvent: {
      post: operation('receiveAlertEvent', 'An event of an alert (`alert.*`)', SIGNED, {
        media: mediaOf(components.publish(AlertEvent), recorded.delivery('alert.*')),
        delivered: recorded.delivery('alert.*'),
      }),
    },
    musterEvent: {
      post: operation('receiveMusterEvent', 'An event of a muster (`muster.*`)', ALIKE, {
        media: mediaOf(components.publish(MusterEvent), recorded.delivery('muster.*')),
        delivered: recorded.delivery('muster.*'),
      }),
    },
  };
}

interface EventMedia {
  readonly media: Media;
  readonly delivered: ExampleDelivery | undefined;
}

function operation(
  operationId: string,
  summary: string,
  description: string,
  { media, delivered }: EventMedia,
): Operation {
  return {
    operationId,
    tags: ['Webhooks'],
    summary,
    description,
    // Authenticated by the signature, which OpenAPI cannot express.
    security: [],
    parameters: HEADERS.map((header) => {
      const example = delivered?.headers[header.name];
      return example === undefined ? header : { ...header, example };
    }),
    requestBody: { required: true, content: { 'application/json': media } },
    responses: {
      '2XX': { description: 'Delivered. The body is not looked at.' },
      default: { description: 'A failed attempt, to be repeated; so is no answer within 5 s.' },
    },
  };
}

const mediaOf = (schema: Media['schema'], delivered: ExampleDelivery | undefined): Media =>
  delivered === undefined ? { schema } : { schema, example: delivered.body };

const header = (name: string, description: string, schema: Parameter['schema']): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

const HEADERS: readonly Parameter[] = [
  header('X-Service-Event-Id', 'The id of the event, the same at every attempt.', { type: 'string', format: 'uuid' }),
  header('X-Service-Timestamp', 'When this attempt was signed, in Unix seconds.', {
    type: 'string',
    pattern: '^[0-9]+$',
  }),
  header('X-Service-Signature', 'One signature, or two separated by a comma.', {
    type: 'string',
    pattern: '^v1=[0-9a-f]{64}(,v1=[0-9a-f]{64})?$',
  }),
];
