/** The AsyncAPI 3 document of the watch protocol, made on request from the contract's topics and schemas. [watch-protocol] */
import { API_VERSION } from '../../../contract/enumerations.ts';
import { UPLINK_EVENT_KINDS, upStatusTopic, type WatchDeath } from '../../../contract/watch.ts';
import { CHANNELS, type Channel, type ChannelMessage, type ChannelOperation } from '../asyncapi/messages.ts';
import { INTRODUCTION, KEY_WORDS, PARAMETER_WORDS, SERVER_WORDS, TITLE } from '../asyncapi/words.ts';
import type { Ref } from '../openapi/document.ts';
import { Components } from '../openapi/schemas.ts';

type Table<T> = Readonly<Record<string, T>>;

/** The subset of AsyncAPI 3 used here. */
interface AsyncApi {
  readonly asyncapi: '3.0.0';
  readonly id: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly defaultContentType: string;
  readonly servers: Table<{ readonly host: string; readonly protocol: string }>;
  readonly channels: Table<AsyncChannel>;
  readonly operations: Table<AsyncOperation>;
  readonly components: { readonly schemas: Table<object>; readonly messages: Table<AsyncMessage> };
}

interface AsyncChannel {
  readonly address: string;
  readonly title: string;
  readonly servers: readonly Ref[];
  readonly description: string;
  readonly parameters?: Table<Ref>;
  readonly messages: Table<Ref>;
}

interface AsyncOperation {
  readonly action: 'send' | 'receive';
  readonly channel: Ref;
  readonly summary: string;
  readonly messages: readonly Ref[];
  readonly bindings: {
    readonly mqtt: { readonly qos: number; readonly retain: boolean; readonly bindingVersion: string };
  };
}

export interface AsyncMessage {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly contentType: string;
  readonly payload: object;
  readonly examples: readonly { readonly name: string; readonly payload: unknown }[];
}

/** Version of the MQTT bindings. */
const bindingVersion = '0.2.0';

const NO_BYTES = { type: 'string', maxLength: 0, description: 'An empty payload.' };

/** `mqttUrl` is `mqtt://host:port`. */
export function asyncApi(mqttUrl: string): AsyncApi {
  const schemas = new Components();
  const messages: Record<string, AsyncMessage> = {};
  const channels: Record<string, AsyncChannel> = {};
  const operations: Record<string, AsyncOperation> = {};
  for (const [name, channel] of Object.entries(CHANNELS)) {
    for (const [key, message] of Object.entries(channel.messages))
      messages[componentOf(name, key)] = messageOf(componentOf(name, key), message, schemas);
    channels[name] = channelOf(name, channel);
    for (const operation of channel.operations) operations[operation.name] = operationOf(name, channel, operation);
  }
  const { protocol, host } = new URL(mqttUrl);
  return {
    asyncapi: '3.0.0',
    id: 'urn:muster-sandbox:watch',
    info: { title: TITLE, version: API_VERSION, description: INTRODUCTION, ...INFO },
    defaultContentType: 'application/json',
    servers: { sandbox: { host, protocol: protocol.slice(0, -1), ...SERVER } },
    channels,
    operations,
    components: {
      schemas: schemas.all(),
      messages,
      parameters: PARAMETERS,
      securitySchemes: { watchKey: { type: 'userPassword', description: KEY_WORDS } },
    },
  } as AsyncApi;
}

const INFO = {
  license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  tags: [{ name: 'watch', description: 'The document is written from the point of view of the watch.' }],
};

const SERVER = {
  protocolVersion: '3.1.1',
  description: SERVER_WORDS,
  security: [{ $ref: '#/components/securitySchemes/watchKey' }],
  bindings: {
    mqtt: {
      clientId: '{serial}',
      cleanSession: true,
      lastWill: {
        topic: upStatusTopic('{site}', '{serial}'),
        qos: 1,
        message: JSON.stringify({ online: false, session: 3 } satisfies WatchDeath),
        retain: true,
      },
      keepAlive: 60,
      bindingVersion,
    },
  },
};

const PARAMETERS = {
  site: { description: PARAMETER_WORDS.site, examples: ['0192f3c4-5b6a-4c8d-9e0f-1a2b3c4d5e6f'] },
  serial: { description: PARAMETER_WORDS.serial, examples: ['WT-0014'] },
  kind: { description: PARAMETER_WORDS.kind, enum: [...UPLINK_EVENT_KINDS] },
};

/** `event` and `vehicle_ack` make `eventVehicleAck`. */
const componentOf = (channel: string, key: string): string =>
  `${channel}_${key}`.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function messageOf(
  name: string,
  { title, summary, schema, examples }: ChannelMessage,
  schemas: Components,
): AsyncMessage {
  const content = { contentType: schema === null ? 'application/octet-stream' : 'application/json' };
  return {
    name,
    title,
    summary,
    ...content,
    payload: schema === null ? NO_BYTES : schemas.publish(schema, 'closed'),
    examples,
  };
}

function channelOf(name: string, { address, title, description, parameters, messages }: Channel): AsyncChannel {
  const table = (keys: readonly string[], to: (key: string) => string): Table<Ref> =>
    Object.fromEntries(keys.map((key) => [key, { $ref: to(key) }]));
  const of = table(parameters, (key) => `#/components/parameters/${key}`);
  return {
    address,
    title,
    servers: [{ $ref: '#/servers/sandbox' }],
    description,
    ...(parameters.length === 0 ? {} : { parameters: of }),
    messages: table(Object.keys(messages), (key) => `#/components/messages/${componentOf(name, key)}`),
  };
}

function operationOf(name: string, { action, messages }: Channel, operation: ChannelOperation): AsyncOperation {
  const { summary, qos, retain = false } = operation;
  return {
    action,
    channel: { $ref: `#/channels/${name}` },
    summary,
    messages: (operation.messages ?? Object.keys(messages)).map((key) => ({
      $ref: `#/channels/${name}/messages/${key}`,
    })),
    bindings: { mqtt: { qos, retain, bindingVersion } },
  };
}
