/** Turns a recorded session into a draft of a scenario for a person to edit. [scenario-language, record] */

import { stringify } from 'yaml';
import { formatInstant } from '../../base/instants.ts';
import type { JsonMap } from '../../contract/schema.ts';
import { DraftPeople } from './draft-people.ts';
import { serviceSection, siteSection } from './draft-site.ts';
import { type DraftLine, DraftSteps } from './draft-steps.ts';
import type { Tape } from './tape.ts';

export interface ScenarioDraft {
  /** The text of the file. */
  readonly text: string;
  readonly steps: number;
  readonly expectations: number;
  /** What was omitted, with reasons. */
  readonly remarks: readonly string[];
}

const MODELINE = '# yaml-language-server: $schema=./scenario.schema.json';

export function draftOf(tape: Tape): ScenarioDraft {
  const people = new DraftPeople(tape);
  const steps = new DraftSteps(tape, people);
  steps.write();
  const { notes = [] } = tape;
  const remarks = steps.lines.flatMap((line) => (line.kind === 'remark' ? [line.text] : []));
  const count = steps.lines.length - remarks.length;
  const text = [
    MODELINE,
    ...head(tape),
    '',
    ...world(tape, people, steps.sites),
    ...notes.map((note) => `# ${plain(note)}`),
    'steps:',
    ...stepLines(tape, people, steps.lines),
  ];
  return { text: `${text.join('\n')}\n`, steps: count, expectations: steps.expected, remarks: [...notes, ...remarks] };
}

function head({ startedAt, endedAt, full }: Tape): string[] {
  const minutes = Math.max(1, Math.round((endedAt - startedAt) / 60_000));
  const whole = full ? ' It went on after the tape was full.' : '';
  return [
    line('scenario', `What happened on ${formatInstant(startedAt).slice(0, 16).replace('T', ' at ')}`),
    line('about', `A draft, recorded in ${minutes} min of a live session.${whole} Say here what the story is about.`),
    line('seed', 1),
  ];
}

/** Omits people and plants that are not involved, but keeps one plant. */
function world(tape: Tape, people: DraftPeople, touched: ReadonlySet<string>): string[] {
  const used = tape.sites.filter(({ id }) => touched.has(id));
  const sites = used.length === 0 ? tape.sites.slice(0, 1) : used;
  const several = sites.length > 1;
  const siteNameOf = (siteId: string) =>
    several ? (sites.find(({ id }) => id === siteId)?.planned.name ?? null) : null;
  const service = serviceSection(sites[0]?.planned.service ?? {});
  const workers = people.section(siteNameOf);
  const [first] = sites;
  return [
    ...(several || first === undefined
      ? [
          'sites:',
          ...sites.flatMap((site) => [
            `  ${key(site.planned.name)}:`,
            ...siteLines(withoutName(siteSection(site)), '    '),
          ]),
        ]
      : ['site:', ...siteLines(siteSection(first), '  ')]),
    line('contract', { include_worker_names: tape.includeWorkerNames, scopes: 'all' }),
    ...(Object.keys(service).length === 0 ? [] : [line('service', service)]),
    '',
    ...mapLines('workers', workers),
    '',
  ];
}

/** Redundant with its key. */
const withoutName = ({ name: _name, ...rest }: JsonMap): JsonMap => rest;

function siteLines({ zones, ...rest }: JsonMap, indent: string): string[] {
  return [
    ...Object.entries(rest).map(([name, value]) => `${indent}${line(name, value)}`),
    `${indent}zones:`,
    ...Object.entries(zones as JsonMap).map(([name, zone]) => `${indent}  ${line(key(name), zone)}`),
  ];
}

function mapLines(name: string, entries: JsonMap): string[] {
  if (Object.keys(entries).length === 0) return [];
  return [`${name}:`, ...Object.entries(entries).map(([short, section]) => `  ${line(short, section)}`)];
}

/** Permits in force at the beginning come first. */
function stepLines(tape: Tape, people: DraftPeople, lines: readonly DraftLine[]): string[] {
  const permits = people.playing.flatMap((person) =>
    person.permits.map(({ zone, reference }) => ({ who: people.nameOf(person), zone, is: 'open', reference })),
  );
  const written = [
    ...permits.map((permit) => `  - ${line('permit', permit)}`),
    ...lines.flatMap((one) => (one.kind === 'remark' ? [`  # ${plain(one.text)}`] : stepText(one))),
  ];
  const seconds = Math.max(1, Math.round((tape.endedAt - tape.startedAt) / 1_000));
  return written.some((text) => text.startsWith('  - ')) ? written : [...written, `  - wait: ${seconds}s`];
}

function stepText({ word, value, beside }: Extract<DraftLine, { kind: 'step' }>): string[] {
  return [`  - ${line(word, value)}`, ...Object.entries(beside).map(([key, item]) => `    ${line(key, item)}`)];
}

const line = (name: string, value: unknown): string => `${name}: ${flow(value)}`;

/** One-line flow style. */
function flow(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: false }).trim();
}

const key = (name: string): string => flow(name);

const plain = (text: string): string => text.replace(/\s+/g, ' ');
