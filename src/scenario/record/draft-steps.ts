/** Writes the steps of a draft: actions, waits in whole seconds, and expectations for the events that followed. */

import { formatDuration, parseDuration } from '../../base/time/durations.ts';
import { parseInstant } from '../../base/time/instants.ts';
import {
  type ActionName,
  type FieldNode,
  fieldsHolding,
  fieldsOfAction,
  type HeldKind,
  holdingOf,
} from '../../contract/actions.ts';
import { isMap, type JsonMap } from '../../contract/schema.ts';
import { CUSTOMER } from '../model/own-system.ts';
import type { Tape, TapedEntry, TapedPerson } from './tape.ts';

/** A step, or a comment between steps. */
export type DraftLine =
  | { readonly kind: 'step'; readonly word: string; readonly value: unknown; readonly beside: JsonMap }
  | { readonly kind: 'remark'; readonly text: string };

type Of<K extends TapedEntry['kind']> = Extract<TapedEntry, { kind: K }>;

/** Additional time for expectations, because watches report at their own intervals. */
const LATER_BY = 0.5;
const LATER_AT_LEAST_MS = 15_000;

/** These events come at every headcount, and depend on people outside the draft. */
const FIGURES: ReadonlySet<string> = new Set(['muster.updated', 'muster.worker_missing']);

export class DraftSteps {
  readonly lines: DraftLine[] = [];
  /** Ids of the sites in the draft. */
  readonly sites = new Set<string>();
  expected = 0;
  readonly #tape: Tape;
  readonly #people: DraftPeople;
  /** The reference `$name` by the id of the alert, muster or permit. */
  readonly #names = new Map<string, string>();
  /** Sites on which an action set a hazard or heat, which causes their alerts. */
  readonly #stirred = new Set<string>();
  /** Indexes of the steps that mark all people safe. */
  readonly #safeBy: number[] = [];
  #cursor: number;

  constructor(tape: Tape, people: DraftPeople) {
    this.#tape = tape;
    this.#people = people;
    this.#cursor = tape.startedAt;
  }

  write(): void {
    for (const entry of this.#tape.entries) {
      if (entry.kind === 'action') this.#action(entry);
      else if (entry.kind === 'update') this.#update(entry);
      else this.#event(entry);
    }
    this.#fillInSafe();
    this.#dropUnused();
  }

  #action({ at, body, results, why }: Of<'action'>): void {
    const { action, ...rest } = body;
    const fields = rest as JsonMap;
    if (results === null) return this.#remark(`${action} was refused: ${why ?? ''}`);
    if (fieldsHolding(action, 'receiver').length > 0)
      return this.#remark(`${action} was about a receiver, which this draft does not have`);
    const named = fieldsHolding(action, 'people').flatMap((key) => fields[key]);
    const people = named.filter((who): who is string => typeof who === 'string').map((who) => this.#people.find(who));
    if (people.includes(undefined)) return this.#remark(`${action} was about somebody who was not there at the start`);
    const alerts = fieldsHolding(action, 'alert').filter((key) => Object.hasOwn(fields, key));
    if (alerts.some((key) => this.#names.get(String(fields[key]).toLowerCase()) === undefined))
      return this.#remark(`${action} was about an alert from before the recording`);
    for (const person of people) if (person !== undefined) this.#people.nameOf(person);
    this.#wait(at);
    const written = this.#written(action, fields, at);
    const id = results[0]?.muster_id;
    const as = action !== 'start_muster' || id === undefined ? {} : { as: this.#give('muster', id) };
    if (action === 'inspect') this.#allSafe(written);
    this.#step(action, written, as);
    for (const siteId of this.#sitesOf(results, people)) {
      this.sites.add(siteId);
      if (action === 'hazard' || action === 'heat' || action === 'start_muster') this.#stirred.add(siteId);
    }
  }

  /**
   * An inspection requires an empty missing list, but the people of a draft do not walk by themselves, so a step marks
   * them safe.
   */
  #allSafe({ by, muster }: JsonMap): void {
    const named = muster === undefined ? {} : { muster };
    this.#safeBy.push(this.lines.length);
    this.#step('mark_safe', { who: [], by, ...named }, { note: 'Whoever has a part here was safe by then' });
  }

  /** Called at the end, when all people of the draft are known. */
  #fillInSafe(): void {
    const who = this.#people.playing.map((person) => this.#people.nameOf(person));
    for (const place of this.#safeBy) {
      const line = this.lines[place];
      if (line?.kind === 'step') this.lines[place] = { ...line, value: { ...(line.value as JsonMap), who } };
    }
  }

  /** Removes names that no step refers to. */
  #dropUnused(): void {
    const stepsJson = JSON.stringify(this.lines.map((line) => (line.kind === 'step' ? line.value : null)));
    for (const [place, line] of this.lines.entries()) {
      if (line.kind !== 'step' || line.beside['as'] === undefined) continue;
      const { as, ...beside } = line.beside;
      if (!new RegExp(`\\$${String(as)}["\\.]`).test(stepsJson)) this.lines[place] = { ...line, beside };
    }
  }

  #update({ at, alertId, status, by, externalId, reason, note }: Of<'update'>): void {
    const name = this.#names.get(alertId);
    const word = status === 'acknowledged' ? 'acknowledge' : 'resolve';
    if (name === undefined) return this.#remark(`${by} did ${word} an alert that is not in this draft`);
    this.#wait(at);
    const remarks = {
      ...(externalId === null ? {} : { external_id: externalId }),
      ...(reason === null ? {} : { reason }),
      ...(note === null ? {} : { note }),
    };
    this.#step(word, { alert: name, by, ...remarks }, {});
  }

  #event({ at, type, siteId, objectId, alertType, workerId }: Of<'event'>): void {
    const name = this.#names.get(objectId);
    if (type === 'alert.created' && alertType !== null) {
      const who = workerId === null ? undefined : this.#people.nameOfId(workerId);
      const caused = workerId === null ? this.#stirred.has(siteId) : who !== undefined;
      if (!caused) return this.#remark(`${type} ${alertType} came from something that nobody here did`);
      const of = who === undefined ? {} : { of: who };
      this.sites.add(siteId);
      const event = this.#give(alertType.replaceAll('_', '-'), objectId, '.object')
        .slice(1)
        .replace(/\.object$/, '');
      return this.#expect({ event: type, ...of, object: { type: alertType } }, at, { as: event });
    }
    if (name === undefined) return;
    const about = name.replace(/\.object$/, '');
    if (FIGURES.has(type)) {
      const text = `expect: {event: ${type}, about: ${about}}   # its figures depend on who else is there`;
      const last = this.lines.at(-1);
      if (last?.kind !== 'remark' || last.text !== text) this.#remark(text);
      return;
    }
    this.#expect({ event: type, about }, at, {});
  }

  #expect(check: JsonMap, at: number, beside: JsonMap): void {
    const passed = Math.max(0, Math.round((at - this.#cursor) / 1_000) * 1_000);
    const late = Math.max(LATER_AT_LEAST_MS, passed * LATER_BY);
    const within = formatDuration(Math.ceil((passed + late) / 5_000) * 5_000);
    this.expected++;
    this.#cursor = Math.max(this.#cursor, at);
    this.#step('expect', check, { within, ...beside });
  }

  /** Adds a wait in whole seconds since the last entry; a wait that rounds to zero is omitted. */
  #wait(until: number): void {
    const seconds = Math.round((until - this.#cursor) / 1_000);
    this.#cursor = Math.max(this.#cursor, until);
    if (seconds > 0) this.#step('wait', formatDuration(seconds * 1_000), {});
  }

  /** The fields with the names of the draft. */
  #written(action: ActionName, fields: JsonMap, at: number): JsonMap {
    const nodes = fieldsOfAction(action);
    const entries = Object.entries(fields).flatMap(([key, value]): [string, unknown][] => {
      const written = this.#writtenField(nodes[key] as FieldNode, value, at);
      return written === undefined ? [] : [[key, written]];
    });
    // The site and the muster come last, because they give the place of the action.
    const isLast = (key: string): boolean => ['site', 'muster'].includes(holdingOf(action, key)?.kind ?? '');
    const ordered = [...entries.filter(([key]) => !isLast(key)), ...entries.filter(([key]) => isLast(key))];
    return Object.fromEntries(ordered);
  }

  /** Returns undefined if the draft has no name for the value, and the field may be omitted. */
  #writtenField(node: FieldNode, value: unknown, at: number): unknown {
    const { kind } = node['x-holds'];
    if (Array.isArray(value) && value.some((one) => typeof one !== 'number'))
      return value.map((one) => this.#writtenField(node, one, at));
    if (kind === 'parts' && isMap(value)) {
      const parts = (node.properties ?? {}) as Readonly<Record<string, FieldNode>>;
      const entries = Object.entries(value).map(([key, part]) => [
        key,
        this.#writtenField(parts[key] as FieldNode, part, at),
      ]);
      return Object.fromEntries(entries);
    }
    return typeof value === 'string' ? this.#writtenNames[kind](value, at) : value;
  }

  readonly #writtenNames: { readonly [K in HeldKind]: (value: string, at: number) => string | undefined } = {
    people: (who) => this.#personName(who) ?? who,
    zone: (zone) => this.#zoneName(zone),
    point: (zone) => this.#zoneName(zone),
    place: (zone) => this.#zoneName(zone),
    destination: (name) => this.#personName(name) ?? this.#zoneName(name),
    site: (site) => this.#siteName(site),
    company: () => CUSTOMER,
    alert: (id) => this.#names.get(id.toLowerCase()) ?? id,
    muster: (id) => this.#names.get(id.toLowerCase()),
    watch: (serial) => serial,
    receiver: (url) => url,
    moment: (moment, at) => {
      const time = parseDuration(moment) === null ? parseInstant(moment) : null;
      return time === null ? moment : formatDuration(Math.max(0, Math.round((time - at) / 1_000) * 1_000));
    },
    parts: (text) => text,
    plain: (text) => text,
  };

  #personName(who: string): string | undefined {
    const person = this.#people.find(who);
    return person === undefined ? undefined : this.#people.nameOf(person);
  }

  #zoneName(named: string): string {
    for (const { zones } of this.#tape.sites) {
      const name = zones.get(named.toLowerCase());
      if (name !== undefined) return name;
    }
    return named;
  }

  #siteName(named: string): string {
    const site = this.#tape.sites.find(({ id }) => id === named.toLowerCase());
    return site?.planned.name ?? named;
  }

  #sitesOf(results: readonly JsonMap[], people: readonly ({ readonly siteId: string } | undefined)[]): Set<string> {
    const ids = [...people.map((one) => one?.siteId), ...results.map((one) => one['site_id'])];
    return new Set(ids.filter((id): id is string => typeof id === 'string'));
  }

  /** `$sos.object`, or `$sos-2.object` if the name is taken. */
  #give(word: string, id: string, field = ''): string {
    const taken = new Set([...this.#names.values()].map((name) => name.replace(/\..*$/, '')));
    let name = `$${word}`;
    for (let n = 2; taken.has(name); n++) name = `$${word}-${n}`;
    this.#names.set(id, `${name}${field}`);
    return field === '' ? name.slice(1) : `${name}${field}`;
  }

  #step(word: string, value: unknown, beside: JsonMap): void {
    this.lines.push({ kind: 'step', word, value, beside });
  }

  #remark(text: string): void {
    this.lines.push({ kind: 'remark', text });
  }
}

// Assigns short names to the people of a recorded session.

/** A battery charge is written only if it is below this percentage. */
const WRITTEN_BELOW_PCT = 30;

export class DraftPeople {
  readonly #tape: Tape;
  /** Short names by worker id, of the people in the draft. */
  readonly #names = new Map<string, string>();

  constructor(tape: Tape) {
    this.#tape = tape;
  }

  /** Returns the person with this external id, id or serial. */
  find(who: string): TapedPerson | undefined {
    const { people } = this.#tape;
    return (
      people.find(({ serial }) => serial === who) ??
      people.find(({ id, externalId }) => id === who.toLowerCase() || externalId === who)
    );
  }

  /** Returns true if this worker is already in the draft. */
  has(workerId: string): boolean {
    return this.#names.has(workerId);
  }

  /** Returns the short name; adds the person to the draft if necessary. */
  nameOf({ id, name, externalId }: TapedPerson): string {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const taken = new Set(this.#names.values());
    const words = [name.split(' ')[0] ?? '', externalId ?? '', `worker-${this.#names.size + 1}`].map(plain);
    let short = words.find((word) => /^[a-z][a-z0-9-]*$/.test(word) && !taken.has(word)) ?? '';
    for (let n = 2; short === ''; n++) if (!taken.has(`${words[0]}-${n}`)) short = `${words[0]}-${n}`;
    this.#names.set(id, short);
    return short;
  }

  nameOfId(workerId: string): string | undefined {
    return this.#names.get(workerId);
  }

  get playing(): TapedPerson[] {
    return this.#tape.people.filter(({ id }) => this.#names.has(id));
  }

  /** The section `workers`; with several sites each person has a `site`. */
  section(siteNameOf: (siteId: string) => string | null): JsonMap {
    const entries = this.playing.map((person): [string, JsonMap] => {
      const { name, externalId, contractor, role, at, worn, batteryPct, pace } = person;
      const site = siteNameOf(person.siteId);
      const section = {
        name,
        ...(externalId === null ? {} : { external_id: externalId }),
        ...(contractor === null ? {} : { contractor }),
        ...(role === null ? {} : { role }),
        ...(site === null ? {} : { site }),
        at: at.map((metres) => Math.round(metres * 10) / 10),
        ...(worn === false ? { worn: 'off' } : {}),
        ...(batteryPct === null || batteryPct >= WRITTEN_BELOW_PCT ? {} : { battery: Math.round(batteryPct) }),
        ...(pace === null ? {} : { pace: Math.round(pace * 100) / 100 }),
      };
      return [this.#names.get(person.id) as string, section];
    });
    return Object.fromEntries(entries);
  }
}

const plain = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '');
