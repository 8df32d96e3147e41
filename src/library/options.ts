/** The options of `startSandbox`, checked before anything starts; messages name options, as the caller wrote them. */

import { Type } from 'typebox';
import { CLOCK_BEGIN, CLOCK_END, HIGHEST_SPEED } from '../base/clock.ts';
import { CLI } from '../base/command-form.ts';
import { formatInstant, parseInstant } from '../base/instants.ts';
import { FILE_LIMITS, readUserText } from '../base/user-files.ts';
import { endpointOf } from '../broker/external/address.ts';
import { check } from '../contract/check.ts';
import { type Assumptions, SWITCHES } from '../contract/gaps.ts';
import { didYouMean, list, quoted } from '../contract/sentences.ts';
import { closed, whole } from '../contract/shapes.ts';
import { MOST_WATCHES } from '../plant/default-world.ts';
import { MOST_LISTED, renderMistakes } from '../plant/shown-mistakes.ts';
import * as values from '../sandbox/option-values.ts';
import type { SandboxOptions as InternalOptions } from '../sandbox/options.ts';
import { checkedSiteFile } from '../scenario/mend/checked-part.ts';
import type { SandboxOptions } from './types.ts';

const Port = whole(0, 65_535);
const Text = Type.String({ minLength: 1 });

const OptionsSchema = closed('SandboxOptions', 'The options of startSandbox.', {
  host: Text,
  port: Port,
  mqttPort: Port,
  tls: Type.Boolean(),
  dataDir: Text,
  memory: Type.Boolean(),
  acceptLoss: Type.Boolean(),
  seed: Type.Union([Text, whole(0)]),
  watches: whole(1, MOST_WATCHES),
  site: Text,
  fleet: Type.Boolean(),
  ambient: Type.Enum(['calm', 'busy'], { type: 'string' }),
  speed: Type.Number({ exclusiveMinimum: 0, maximum: HIGHEST_SPEED }),
  start: Type.Union([Text, Type.Number()]),
  forwards: Type.Object({}, { additionalProperties: true }),
  skipVerify: Type.Boolean(),
  publicUrl: Text,
  cors: Text,
  truth: Text,
  database: Text,
  broker: Text,
  smtp: Text,
  strict: Type.Boolean(),
  assume: Type.Object({}, { additionalProperties: true }),
  credentials: Type.Union([Text, Type.Object({}, { additionalProperties: true })]),
  onNotice: Type.Unknown(),
});
type OptionName = keyof typeof OptionsSchema.properties;
const OPTION_NAMES = Object.keys(OptionsSchema.properties) as OptionName[];

/** How each is written, for messages. */
const EXAMPLES: Readonly<Partial<Record<OptionName, string>>> = {
  host: "'127.0.0.1'",
  port: '0',
  mqttPort: '0',
  tls: 'true',
  dataDir: "'.sandbox'",
  memory: 'true',
  acceptLoss: 'true',
  seed: '7',
  watches: '12',
  site: "'my-plant.yaml'",
  fleet: 'false',
  ambient: "'busy'",
  speed: '60',
  start: "'2026-10-05T06:00:00Z'",
  forwards: "{'receiver.example': 'http://127.0.0.1:3000'}",
  skipVerify: 'true',
  publicUrl: "'https://sandbox.example'",
  cors: "'http://localhost:5173'",
  truth: "'truth.ndjson'",
  database: "'postgres://user:password@127.0.0.1:5432/name'",
  broker: "'mqtt://127.0.0.1:1883'",
  smtp: "'smtp://127.0.0.1:1025'",
  strict: 'true',
  assume: "{retry: 'delay'}",
  credentials: "{control_token: '...'}",
  onNotice: '(notice) => console.log(notice.kind)',
};

/** A mistake in the options: all of them, each with how to write it. */
export class OptionError extends TypeError {
  override readonly name = 'OptionError';
  readonly code = 'invalid_options';

  constructor(mistakes: readonly string[]) {
    const listed = mistakes.slice(0, MOST_LISTED).join('\n- ');
    super(mistakes.length === 1 ? mistakes[0] : `The options have ${mistakes.length} mistakes.\n- ${listed}`);
  }
}

/** The options as the sandbox takes them, and what a site file says but hardly means. Throws an `OptionError`. */
export function checkedOptions(asked: SandboxOptions): { options: InternalOptions; warnings: string[] } {
  if (typeof asked !== 'object' || asked === null || Array.isArray(asked))
    throw new OptionError([`The options must be an object, as startSandbox({memory: true}), not ${shown(asked)}.`]);
  const set = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const { forwards, start, ...plain } = set as SandboxOptions;
  const checkable = {
    ...plain,
    ...(forwards === undefined ? {} : { forwards: forwards instanceof Map ? {} : forwards }),
    ...(start === undefined ? {} : { start: start instanceof Date ? start.getTime() : start }),
  };
  const checked = check(Type.Partial(OptionsSchema, { additionalProperties: false }), checkable);
  const mistakes = checked.ok
    ? []
    : checked.errors.slice(0, MOST_LISTED).map(({ pointer, detail }) => sentence(pointer, detail, checkable));
  const reading = new OptionReading(set as SandboxOptions, mistakes);
  const options = mistakes.length === 0 ? reading.read() : null;
  if (options === null || mistakes.length > 0) throw new OptionError(mistakes);
  return { options, warnings: reading.warnings };
}

/** `The option speed is "fast"; it must be a number. Write it as {speed: 60}.` */
function sentence(pointer: string, detail: string, options: object): string {
  const name = pointer.slice(1).split('/')[0] ?? '';
  if (!OPTION_NAMES.includes(name as OptionName))
    return `There is no option ${quoted(name)}.${didYouMean(name, OPTION_NAMES)}`;
  return wrong(name as OptionName, detail, options[name as never]);
}

const wrong = (name: OptionName, must: string, value: unknown): string =>
  `The option ${name} is ${shown(value)}; it ${must}${must.endsWith('?') ? '' : '.'} Write it as {${name}: ${EXAMPLES[name]}}.`;

const shown = (value: unknown): string =>
  typeof value === 'string' ? quoted(value) : typeof value === 'object' && value !== null ? 'an object' : String(value);

/** Reads the values that a schema alone cannot judge; collects mistakes. */
class OptionReading {
  readonly warnings: string[] = [];
  readonly #asked: SandboxOptions;
  readonly #mistakes: string[];

  constructor(asked: SandboxOptions, mistakes: string[]) {
    this.#asked = asked;
    this.#mistakes = mistakes;
  }

  read(): InternalOptions {
    const { seed, site, start, forwards, publicUrl, cors, database, broker, smtp, assume, credentials, ...plain } =
      this.#asked;
    this.#contradictions();
    return {
      ...(plain as InternalOptions),
      ...(seed === undefined ? {} : { seed: String(seed) }),
      ...this.#part('publicUrl', publicUrl, values.addressOf, 'must be an http or https address'),
      ...this.#part('cors', cors, values.originOf, 'must be an origin: scheme, host and port'),
      ...this.#part('database', database, values.databaseUrlOf, 'must be the address of a Postgres database'),
      ...this.#part('broker', broker, (text) => endpointOf(text) && text, 'must be the address of a broker'),
      ...this.#part('smtp', smtp, values.smtpUrlOf, 'must be the address of a mail server'),
      ...(start === undefined ? {} : this.#start(start)),
      ...(forwards === undefined ? {} : { forwards: this.#forwards(forwards) }),
      ...(assume === undefined ? {} : { assumptions: this.#assumptions(assume) }),
      ...(credentials === undefined ? {} : this.#credentials(credentials)),
      ...(site === undefined ? {} : this.#site(site)),
    };
  }

  #contradictions(): void {
    const { memory, database, broker, mqttPort, truth, fleet, onNotice } = this.#asked;
    if (broker !== undefined && mqttPort !== undefined)
      this.#mistakes.push(
        'The option mqttPort is of the sandbox’s own broker, and with broker it has none. Leave out one of the two.',
      );
    if (memory === true && database !== undefined)
      this.#mistakes.push(
        'The option memory keeps nothing, and database says where to keep it. Leave out one of the two.',
      );
    if (truth !== undefined && fleet === false)
      this.#mistakes.push(
        'The option truth is about emulated watches, and fleet: false has none. Leave out one of the two.',
      );
    if (onNotice !== undefined && typeof onNotice !== 'function')
      this.#mistakes.push(wrong('onNotice', 'must be a function', onNotice));
  }

  #part<K extends OptionName, T>(
    name: K,
    text: string | undefined,
    read: (text: string) => T | null,
    must: string,
  ): { [N in K]?: T } {
    if (text === undefined) return {};
    const value = read(text);
    if (value !== null) return { [name]: value } as { [N in K]?: T };
    this.#mistakes.push(wrong(name, must, values.withoutPassword(text)));
    return {};
  }

  #start(start: string | number | Date): { start?: number } {
    const at = typeof start === 'string' ? parseInstant(start) : Number(start);
    if (at !== null && at >= CLOCK_BEGIN && at <= CLOCK_END) return { start: at };
    const range = `from ${formatInstant(CLOCK_BEGIN)} to ${formatInstant(CLOCK_END)}`;
    this.#mistakes.push(wrong('start', `must be a time ${range}`, start));
    return {};
  }

  #forwards(forwards: NonNullable<SandboxOptions['forwards']>): Map<string, string> {
    const entries = forwards instanceof Map ? [...forwards] : Object.entries(forwards);
    return new Map(
      entries.flatMap(([host, url]) => {
        const forward = values.forwardOf(host, String(url));
        if (forward === null)
          this.#mistakes.push(
            `The option forwards maps ${quoted(host)} to ${shown(url)}; it must map host names to http addresses. Write it as {forwards: ${EXAMPLES.forwards}}.`,
          );
        return forward === null ? [] : [forward];
      }),
    );
  }

  #assumptions(assume: Readonly<Record<string, string>>): Partial<Assumptions> {
    for (const [name, value] of Object.entries(assume)) {
      const known: readonly string[] | undefined = SWITCHES[name as keyof Assumptions];
      if (known === undefined) {
        const meant = didYouMean(name, Object.keys(SWITCHES));
        this.#mistakes.push(`The option assume has no switch ${quoted(name)}.${meant} "${CLI} gaps" lists them.`);
      } else if (!known.includes(value))
        this.#mistakes.push(`The option assume.${name} must be ${list(known.map(quoted))}, not ${shown(value)}.`);
    }
    return assume as Partial<Assumptions>;
  }

  #credentials(asked: NonNullable<SandboxOptions['credentials']>): Pick<InternalOptions, 'credentials'> {
    const content = typeof asked === 'string' ? this.#credentialsFile(asked) : asked;
    if (content === undefined) return {};
    const credentials = values.credentialsOf(content);
    if (typeof credentials !== 'string') return { credentials };
    this.#mistakes.push(`The option credentials ${credentials}. Write it as {credentials: ${EXAMPLES.credentials}}.`);
    return {};
  }

  #site(file: string): Pick<InternalOptions, 'site'> {
    const text = this.#file('site', file, FILE_LIMITS.document);
    if (text === undefined) return {};
    const { plan, crew, contract, mistakes, warnings } = checkedSiteFile(text, file, {
      readFile: values.besides(file),
    });
    if (warnings.length > 0) this.warnings.push(renderMistakes(warnings, () => text));
    if (plan !== null && mistakes.length === 0) return { site: { planned: plan, crew, contract, text } };
    this.#mistakes.push(`The option site names a file with mistakes:\n\n${renderMistakes(mistakes, () => text)}`);
    return {};
  }

  #credentialsFile(file: string): unknown {
    const text = this.#file('credentials', file, FILE_LIMITS.credentials);
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text);
    } catch {
      // The reason of the parser would quote the file, and with it perhaps a secret.
      this.#mistakes.push(`The option credentials names ${file}, which is not JSON.`);
      return undefined;
    }
  }

  #file(name: OptionName, file: string, mostBytes: number): string | undefined {
    const text = readUserText(file, { mostBytes });
    if (typeof text === 'string') return text;
    this.#mistakes.push(`The option ${name} names ${file}, which ${text.why}.`);
    return undefined;
  }
}

/** Flags in a text of the sandbox as the options that they are here. */
export const inOptions = (text: string): string =>
  text.replace(/--([a-z][a-z-]*)/g, (flag, word: string) => {
    const name = word.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    return OPTION_NAMES.includes(name as OptionName) ? `the option ${name}` : flag;
  });
