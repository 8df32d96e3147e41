/** The short forms of a file, derived from the declarations of its sections and steps. [scenario-language, Short forms] */

import { isDeepStrictEqual } from 'node:util';
import { isMap } from '../../contract/schema.ts';
import { WorkersSection } from '../../plant/people-schema.ts';
import { formOfSchema, inLongForm, type ValueForm } from '../../plant/short-forms.ts';
import { ContractSection, SiteSection } from '../../plant/site-schema.ts';
import { readYaml, type YamlSource } from '../../plant/yaml-source.ts';
import type { Field } from './field.ts';
import { isSection, SECTION_OF, type SectionName } from './sections.ts';
import { STEPS } from './steps.ts';

const lazily = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
};

/** A step: the form of the value of its word. */
const STEP: ValueForm = { below: (key) => stepForms().get(String(key)) };

const stepForms = lazily(() => new Map([...STEPS.values()].map(({ word, value }) => [word, formOfField(value)])));

function formOfField({ schema, fields, alone }: Field<unknown>): ValueForm {
  if (fields === undefined) return formOfSchema(schema, REFS);
  const forms = new Map(Object.entries(fields).map(([key, one]) => [key, formOfField(one)]));
  return {
    longOf: (value) => alone?.longOf(value) ?? null,
    below: (key) => forms.get(String(key)),
  };
}

/** The definitions of the editor schema. A check has no short forms. */
const REFS: Readonly<Record<string, ValueForm>> = {
  step: STEP,
  site: formOfSchema(SiteSection),
  contract: formOfSchema(ContractSection),
  workers: formOfSchema(WorkersSection),
};

const sectionForms = lazily(
  () =>
    new Map<SectionName, ValueForm>(
      Object.entries(SECTION_OF).map(([name, { schema }]) => [name as SectionName, formOfSchema(schema, REFS)]),
    ),
);

/** A scenario, a part or a file of rules. */
const FILE_FORM: ValueForm = {
  below: (key) => (typeof key === 'string' && isSection(key) ? sectionForms().get(key) : undefined),
};

/** Reads a scenario, a part or a file of rules, with all values in their long forms. Every reader of such a file uses this. */
export const readLongForm = (text: string, file: string): YamlSource => inLongForm(readYaml(text, file), FILE_FORM);

/** The value of a step in its short form, if it has one; else the value itself. */
export function shortOf(word: string, value: unknown): unknown {
  const alone = STEPS.get(word)?.value.alone;
  if (alone === undefined || !isMap(value)) return value;
  const [[key, one] = ['', undefined], ...others] = Object.entries(value);
  if (others.length > 0 || !alone.keys.includes(key)) return value;
  return isDeepStrictEqual(alone.longOf(one)?.value, value) ? one : value;
}
