/** Questions to the log of a run that is over: its events, deliveries, e-mails and failed checks, also of one worker or alert. */
import { Outage } from '../../base/assert.ts';
import { formatInstant, parseInstant } from '../../base/time/instants.ts';
import { isMap } from '../../contract/schema.ts';
import { type FailedSpan, nearestTo } from './around.ts';
import type { ReadRecord } from './canonical-log.ts';
import { cutOf, type RecordedRun, recordOf } from './recorded-run.ts';

/** What the log of a run holds. */
export const RUN_LOGS = ['events', 'deliveries', 'mail', 'checks'] as const;
export type RunLogKind = (typeof RUN_LOGS)[number];

/** A row of an answer. `at_s`: seconds from the start of the scenario. `at`: the same as an instant, if the log has its start. */
export type RunLogRow = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly at_s: number;
  readonly at: string | null;
};

/** An entry near a failed check. */
export interface NearEntry {
  readonly at_s: number;
  readonly kind: 'step' | 'event' | 'delivery' | 'mail' | 'answer';
  readonly text: string;
}

/** Limits of a question; times are ms from the start, both included. */
interface RunQuestion {
  readonly kind: RunLogKind;
  /** A worker or an alert in any of its names. */
  readonly about: string | null;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface RunAnswer {
  readonly rows: readonly RunLogRow[];
  /** Checks of the run that held, and those that did not; undefined: the log has no end. */
  readonly counts: { readonly passed: number; readonly failed: number } | undefined;
  /** Time of the last record, ms from the start. */
  readonly endMs: number;
}

/** The names by which a question can be about a worker or an alert of the run. */
interface RunNames {
  /** Short names of the scenario. */
  readonly workers: readonly string[];
  readonly all: ReadonlySet<string>;
}

/** Answers questions to one log. Throws an `Outage` if a line within the log is not a record. */
export class RunQuestions {
  readonly #records: readonly ReadRecord[];
  readonly #startedAt: number | null;
  /** The names of each object, in lower case: of an alert and its worker, or of a muster. */
  readonly #names = new Map<string, Set<string>>();
  /** The object of each event. */
  readonly #objects = new Map<string, string>();
  readonly #workers = new Map<string, Set<string>>();
  /** Workers who are only mentioned, in lower case: in a check to which nobody came, or as a colleague nearby. */
  readonly #mentioned = new Set<string>();

  constructor(run: RecordedRun, file: string) {
    this.#records = soundRecords(run, file);
    const { start } = this.#records[0]?.d ?? {};
    this.#startedAt = typeof start === 'string' ? parseInstant(start) : null;
    for (const record of this.#records) this.#learn(record);
  }

  get names(): RunNames {
    const of = [...this.#names.values(), ...this.#workers.values()].flatMap((names) => [...names]);
    const all = new Set([...of, ...this.#objects.keys(), ...this.#mentioned]);
    return { workers: [...new Set([...this.#workers.keys(), ...this.#mentioned])], all };
  }

  answer({ kind, about, fromMs, toMs }: RunQuestion): RunAnswer {
    const isAbout = this.#aboutOf(about);
    const within = this.#records.filter(({ t }) => t >= fromMs && t <= toMs);
    const rows =
      kind === 'checks'
        ? this.#failedChecks(within, about, isAbout)
        : within.flatMap((record) => (isAbout(record) ? this.#row(kind, record) : []));
    const end = this.#records.findLast(({ k }) => k === 'end')?.d;
    const counts = end === undefined ? undefined : { passed: Number(end['passed']), failed: Number(end['failed']) };
    return { rows, counts, endMs: this.#records.at(-1)?.t ?? 0 };
  }

  #learn({ k, who, step, d }: ReadRecord): void {
    const object = k === 'event' ? d['object'] : k === 'alert' || k === 'muster' ? d : undefined;
    if (k === 'expect') for (const name of peopleIn(`${d['check'] ?? d['rule']}`)) this.#mention(name);
    if (k === 'act' && who !== undefined && isOfWorker(step, who, d))
      for (const one of who.split(',')) if (one !== '') this.#workerOf(one).add(one.toLowerCase());
    if (!isMap(object) || typeof object['id'] !== 'string') return;
    const { id, worker, device } = object;
    if (k === 'event') this.#objects.set(String(d['id']).toLowerCase(), id as string);
    for (const { worker: near } of Array.isArray(object['nearby']) ? object['nearby'] : [])
      if (isMap(near)) this.#mention(String(near['external_id'] ?? near['id']));
    const names = this.#names.get(id as string) ?? new Set([(id as string).toLowerCase()]);
    this.#names.set(id as string, names);
    if (!isMap(worker)) return;
    const serial = isMap(device) ? device['serial'] : null;
    const own = [who, worker['id'], worker['external_id'], worker['name'], serial].filter(
      (one) => typeof one === 'string',
    );
    const known = this.#workerOf(who ?? String(worker['external_id'] ?? worker['id']));
    for (const one of own) {
      names.add(one.toLowerCase());
      known.add(one.toLowerCase());
    }
  }

  #mention(name: string): void {
    if (![...this.#workers.values()].some((names) => names.has(name.toLowerCase())))
      this.#mentioned.add(name.toLowerCase());
  }

  #workerOf(name: string): Set<string> {
    const known = this.#workers.get(name) ?? new Set();
    this.#workers.set(name, known);
    return known;
  }

  /** Tells whether a record is about the object or worker of a question. */
  #aboutOf(about: string | null): (record: ReadRecord) => boolean {
    if (about === null) return () => true;
    const named = about.toLowerCase();
    // The text of an event or a delivery has the id of the event.
    const wanted = this.#objects.get(named) ?? named;
    const own = [...this.#workers.values()].find((names) => names.has(wanted)) ?? new Set([wanted]);
    const isObject = (id: unknown) => {
      const names = this.#names.get(String(id));
      return names !== undefined && (names.has(wanted) || [...own].some((one) => names.has(one)));
    };
    return ({ k, who = '', d }) => {
      switch (k) {
        case 'event':
          return isMap(d['object']) && isObject(d['object']['id']);
        case 'dlv':
          return isObject(d['object']);
        case 'mail':
          return [...this.#objects].some(([event, id]) => isObject(id) && `${d['text']}`.toLowerCase().includes(event));
        case 'act':
          return isObject(d['alert']) || who.split(',').some((one) => own.has(one.toLowerCase()));
        case 'expect':
          return (
            (d['found'] as unknown[] | undefined)?.some(isObject) === true ||
            namesOne(`${d['check'] ?? d['rule']}`, own)
          );
        default:
          return false;
      }
    };
  }

  #failedChecks(
    within: readonly ReadRecord[],
    about: string | null,
    isAbout: (record: ReadRecord) => boolean,
  ): RunLogRow[] {
    const entries = this.#records.flatMap((record) => {
      const entry = this.#entry(record);
      return entry === null ? [] : [{ t: record.t, record, entry }];
    });
    return within.flatMap((record): RunLogRow[] => {
      if (!isFailed(record)) return [];
      const { t, line = null, d } = record;
      const span: FailedSpan = { beganMs: t - Number(d['waited'] ?? 0), atMs: t };
      const { kept, leftOut } = nearestTo(
        span,
        entries.filter((one) => one.record !== record),
      );
      const near = [...kept].filter((one) => isAbout(one.record)).toSorted((a, b) => a.t - b.t);
      if (about !== null && near.length === 0 && !isAbout(record)) return [];
      return [
        {
          id: `line-${line}-at-${t}`,
          ...this.#times(t),
          line,
          check: String(d['check'] ?? d['rule'] ?? ''),
          waited_s: Number(d['waited'] ?? 0) / 1_000,
          why: whyOf(record),
          differences: Array.isArray(d['missed']) ? d['missed'] : [],
          near: near.map(({ entry }) => entry),
          near_left_out: leftOut,
        },
      ];
    });
  }

  #row(kind: Exclude<RunLogKind, 'checks'>, { k, t, who, d }: ReadRecord): RunLogRow[] {
    const times = this.#times(t);
    if (kind === 'events' && k === 'event' && d['listed'] !== false) {
      const { id, type, about, object } = d;
      return [{ id: String(id), ...times, type, data: { [String(about)]: object } }];
    }
    if (kind === 'deliveries' && k === 'dlv') {
      const { event, type, object, try: tries, result, status, offset_ms, signatures } = d;
      const id = `${event}/${who}/${tries}`;
      const names = { event_id: event, event_type: type, object_id: object, receiver: who === '' ? null : who };
      return [{ id, ...times, ...names, try: tries, result, status, offset_ms, signatures }];
    }
    if (kind === 'mail' && k === 'mail') return [{ id: `mail-at-${t}`, ...times, ...d }];
    return [];
  }

  #times(t: number): { at_s: number; at: string | null } {
    return { at_s: t / 1_000, at: this.#startedAt === null ? null : formatInstant(this.#startedAt + t) };
  }

  /** The record as an entry near a check; null for a state, which an event announces, and for a check. */
  #entry({ k, t, who, step, d }: ReadRecord): NearEntry | null {
    const entry = (kind: NearEntry['kind'], ...words: unknown[]): NearEntry => {
      const text = words.filter((word) => typeof word === 'string' && word !== '').join(' ');
      return { at_s: t / 1_000, kind, text };
    };
    switch (k) {
      case 'act':
        return entry('step', step, who);
      case 'refused':
        return entry('step', `refused: ${d['code']}`);
      case 'event': {
        const object = isMap(d['object']) ? d['object'] : {};
        const worker = isMap(object['worker']) ? object['worker'] : {};
        const of = who ?? worker['external_id'];
        return entry('event', d['type'], object['type'] ?? object['kind'], typeof of === 'string' ? `of ${of}` : '');
      }
      case 'dlv': {
        const came = d['status'] ?? 'no answer';
        return entry(
          'delivery',
          `${who || 'another destination'} ← ${d['type']}, try ${d['try']}: ${came}, ${d['result']}`,
        );
      }
      case 'mail':
        return entry('mail', `to ${d['to']}: ${d['subject']}`);
      case 'answer':
        return entry('answer', String(d['status']), d['code']);
      default:
        return null;
    }
  }
}

/** A check or rule that did not hold, or a step that the state refused. */
const isFailed = ({ k, d }: ReadRecord): boolean =>
  k === 'expect' ? d['verdict'] === 'failed' : k === 'refused' && typeof d['check'] === 'string';

/** False for steps of the control room, of the customer's system and of receivers, whose `who` is no worker. */
const isOfWorker = (step: string | undefined, who: string, d: ReadRecord['d']): boolean =>
  !isMap(d['actor']) && d['by'] !== who && !['api', 'webhook', 'receiver'].includes(step ?? '');

/** The faults of a check in words; null: its differences say it. */
function whyOf({ k, d }: ReadRecord): string | null {
  if (k === 'refused') return `refused: ${d['code']}`;
  const faults: Readonly<Record<string, string>> = {
    limit: 'it did not come in time',
    came: 'it came',
    ended: 'it was so, but no longer at the end',
    'too-early': 'it came too early',
    'not-now': 'it was not so',
    'no-name': 'a name that it uses has no value',
    done: 'it was done, though the step says refused: true',
  };
  if (typeof d['rule'] === 'string') return `the rule was broken${d['faults'] === 1 ? '' : ` ${d['faults']} times`}`;
  return faults[String(d['fault'])] ?? null;
}

/** The short names in the text of a check: `expect alert sos of ana within 5s`. */
const peopleIn = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:of|position|worker) \[?([\p{L}\p{N}_.-]+(?:, ?[\p{L}\p{N}_.-]+)*)/gu)].flatMap(
    ([, names = '']) => names.split(/, ?/),
  );

/** True if a text has one of the names as a whole word. */
const namesOne = (text: string, names: ReadonlySet<string>): boolean =>
  text
    .toLowerCase()
    .split(/[\s,:]+/)
    .some((word) => names.has(word));

/** The records up to the point at which the log breaks off; see `cutOf`. */
function soundRecords(run: RecordedRun, file: string): ReadRecord[] {
  const cut = cutOf(run);
  const lines = cut?.within === true ? run.lines.slice(0, cut.line - 1) : run.lines;
  if (cut?.within === true && cut.line < run.lines.length)
    throw new Outage({
      code: 'no_run',
      message: `${file}:${cut.line} is not a record of a run, and ${run.lines.length - cut.line} lines follow it.`,
      fix: 'Use the file as the run wrote it.',
      exitCode: 2,
    });
  return lines.flatMap((line) => recordOf(line) ?? []);
}
