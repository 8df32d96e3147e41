import type { TObject, TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { check, UNEXPLAINED } from '../../src/contract/check.ts';
import { ALERT_TYPES } from '../../src/contract/enumerations.ts';
import { NAMED_SCHEMAS } from '../../src/contract/registry.ts';
import { Alert, DETAILS_BY_TYPE, List, MissingWorker, Page, Site } from '../../src/contract/resources.ts';
import { DETAILS, SAMPLES } from './samples.ts';

const errorsOf = (schema: TSchema, value: unknown) => {
  const checked = check(schema, value);
  return checked.ok ? [] : checked.errors;
};
const isObject = (schema: TSchema): schema is TObject => 'properties' in schema;
const objects = Object.entries(NAMED_SCHEMAS).filter((entry): entry is [string, TObject] => isObject(entry[1]));
const closedObjects = objects.filter(([title]) => title !== 'TokenRequest');

test('every named object has a full sample, and every sample a named object', () => {
  expect(Object.keys(SAMPLES).sort()).toEqual(closedObjects.map(([title]) => title).sort());
});

// One without a sample fails the test above, and that once.
describe.each(closedObjects.filter(([title]) => title in SAMPLES))('%s', (title, schema) => {
  const sample = SAMPLES[title] as Record<string, unknown>;
  const required: readonly string[] = schema.required ?? [];
  const optional = Object.keys(schema.properties).filter((key) => !required.includes(key));

  test('takes a full sample, in which every field has a value', () => {
    expect(errorsOf(schema, sample)).toEqual([]);
    expect(Object.keys(sample).sort()).toEqual(Object.keys(schema.properties).sort());
  });

  test('refuses a sample without one of its required fields, at the place of the field', () => {
    for (const key of required) {
      const { [key]: _, ...rest } = sample;
      expect(errorsOf(schema, rest)).toContainEqual({ pointer: `/${key}`, detail: 'is required' });
    }
  });

  test('takes a sample without its optional fields, but not with an undefined one', () => {
    const least = Object.fromEntries(Object.entries(sample).filter(([key]) => !optional.includes(key)));
    expect(errorsOf(schema, least)).toEqual([]);
    for (const key of optional) {
      const [error] = errorsOf(schema, { ...sample, [key]: undefined });
      expect(error?.pointer).toBe(`/${key}`);
    }
  });

  test('refuses a field that it does not know: no pulse enters or leaves', () => {
    const errors = errorsOf(schema, { ...sample, pulse: 140 });
    expect(errors).toEqual([{ pointer: '/pulse', detail: expect.stringMatching(/^is not a known field/) }]);
  });

  test('explains in words whatever else is wrong with a field', () => {
    for (const key of Object.keys(schema.properties)) {
      for (const wrong of [
        17.5,
        -1,
        'x\0',
        true,
        [],
        [[]],
        {},
        null,
        Number.POSITIVE_INFINITY,
        '2026-02-30T00:00:00.000Z',
      ]) {
        for (const { pointer, detail } of errorsOf(schema, { ...sample, [key]: wrong })) {
          expect(pointer === `/${key}` || pointer.startsWith(`/${key}/`) || key === 'type', pointer).toBe(true);
          expect(detail).toMatch(/^(must|is) /);
          expect(detail).not.toBe(UNEXPLAINED);
        }
      }
    }
  });

  test('says what it is, with the clause', () => {
    expect(schema).toMatchObject({ title, description: expect.stringMatching(/\w/), additionalProperties: false });
  });
});

describe('all schemas', () => {
  test('have one meaning for each title', () => {
    const parts = Object.values(NAMED_SCHEMAS).flatMap((schema) => partsOf(schema));
    expect(parts.length).toBeGreaterThan(300);
    for (const part of parts) {
      if (part.title === undefined) continue;
      // The place where it stands may describe it in words of its own.
      const { description } = NAMED_SCHEMAS[part.title] as { description?: string };
      expect({ ...part, description }).toEqual(NAMED_SCHEMAS[part.title]);
    }
  });

  test('are closed in depth, but for the token request and the details of a CLI error', () => {
    const open = Object.entries(NAMED_SCHEMAS).flatMap(([title, schema]) =>
      partsOf(schema).some((part) => part.type === 'object' && part.additionalProperties !== false) ? [title] : [],
    );
    expect(open).toEqual(['TokenRequest']);
  });

  test('know no vital sign by any of its names', () => {
    const keys = Object.values(NAMED_SCHEMAS).flatMap((schema) =>
      partsOf(schema).flatMap((part) => Object.keys(part.properties ?? {})),
    );
    expect(keys).toContain('heat_index_c');
    expect(keys.filter((key) => /pulse|heart|bpm|hrv|spo2|oxygen|skin|respirat|blood|stress_l/.test(key))).toEqual([]);
  });
});

interface Part extends TSchema {
  title?: string;
  type?: string;
  properties?: Record<string, TSchema>;
  additionalProperties?: unknown;
}

function partsOf(schema: TSchema): Part[] {
  const {
    properties = {},
    anyOf = [],
    items,
    allOf = [],
  } = schema as unknown as {
    properties?: Record<string, TSchema>;
    anyOf?: TSchema[];
    items?: TSchema;
    allOf?: { then: TSchema }[];
  };
  const parts = [...Object.values(properties), ...anyOf, ...(items ? [items] : []), ...allOf.map((rule) => rule.then)];
  return [schema, ...parts.flatMap(partsOf)];
}

describe('an alert', () => {
  const alertOf = (type: string, details: unknown) => ({ ...SAMPLES.Alert, type, details });

  test.each(ALERT_TYPES)('of type %s carries the details of its type', (type) => {
    expect(errorsOf(Alert, alertOf(type, DETAILS[type]))).toEqual([]);
    expect(errorsOf(DETAILS_BY_TYPE[type], DETAILS[type])).toEqual([]);
  });

  test.each(ALERT_TYPES)('of type %s does not carry those of another', (type) => {
    const foreign = ALERT_TYPES.filter((other) => DETAILS_BY_TYPE[other] !== DETAILS_BY_TYPE[type]);
    expect(foreign.length).toBeGreaterThan(8);
    for (const other of foreign) {
      const errors = errorsOf(Alert, alertOf(type, DETAILS[other]));
      expect(errors.length).toBeGreaterThan(0);
      for (const { pointer } of errors) expect(pointer).toMatch(/^\/details\//);
    }
  });

  test('with one wrong word in its details gets one sentence', () => {
    expect(errorsOf(Alert, alertOf('sos', { trigger: 'after_fal' }))).toEqual([
      { pointer: '/details/trigger', detail: expect.stringMatching(/did you mean "after_fall"\?$/) },
    ]);
  });

  test('of nothing at all gets twenty sentences for its 22 fields', () => {
    expect(errorsOf(Alert, {})).toHaveLength(20);
  });

  test('of the whole site has no worker, device, zone or location', () => {
    const alert = {
      ...alertOf('earthquake', DETAILS.earthquake),
      worker: null,
      device: null,
      zone: null,
      location: null,
    };
    expect(errorsOf(Alert, alert)).toEqual([]);
  });

  test('keeps every nullable key present: leaving it out is not null', () => {
    const { zone: _, ...rest } = SAMPLES.Alert as { zone: unknown };
    expect(errorsOf(Alert, rest)).toEqual([{ pointer: '/zone', detail: 'is required' }]);
  });

  test('has times in UTC with milliseconds only', () => {
    for (const time of ['2026-10-05T06:00:00Z', '2026-10-05T08:00:00.000+02:00', '2026-02-29T06:00:00.000Z']) {
      expect(errorsOf(Alert, { ...SAMPLES.Alert, date_created: time })).toHaveLength(1);
    }
  });
});

describe('a missing worker', () => {
  test('has a null location for a token without positions:read', () => {
    expect(errorsOf(MissingWorker, { ...SAMPLES.MissingWorker, location: null, location_withheld: true })).toEqual([]);
  });
});

describe('pages and lists', () => {
  test('a page has data and an opaque cursor or null', () => {
    const SitePage = Page('SitePage', Site);
    expect(errorsOf(SitePage, { data: [SAMPLES.Site], next_cursor: 'abc' })).toEqual([]);
    expect(errorsOf(SitePage, { data: [], next_cursor: null })).toEqual([]);
    expect(errorsOf(SitePage, { data: [] })).toEqual([{ pointer: '/next_cursor', detail: 'is required' }]);
  });

  test('a list has data and nothing else', () => {
    const SiteList = List('SiteList', Site);
    expect(errorsOf(SiteList, { data: [SAMPLES.Site] })).toEqual([]);
    expect(errorsOf(SiteList, { data: [{ ...SAMPLES.Site, pulse: 1 }] })[0]?.pointer).toBe('/data/0/pulse');
  });
});
