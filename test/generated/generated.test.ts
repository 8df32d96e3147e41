/** Every generated file is as its sources make it now. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { ActionBody } from '../../src/contract/actions.ts';
import type * as contract from '../../src/contract/resources.ts';
import type * as published from '../../src/library/contract-types.ts';
import type { Action } from '../../src/library/types.ts';
import { GENERATED_FILES } from './files.ts';

/** Compiles only while what the sandbox makes is what the package says it is, and what the package takes is what the sandbox takes. */
void [
  (one: contract.Muster): published.Muster => one,
  (one: contract.MissingWorker): published.MissingWorker => one,
  (one: contract.Site): published.Site => one,
  (one: contract.Zone): published.Zone => one,
  (one: contract.Worker): published.Worker => one,
  (one: contract.Device): published.Device => one,
  (one: contract.Position): published.Position => one,
  (one: contract.WebhookDestination): published.WebhookDestination => one,
  (one: published.Alert): published.AlertCommon & Pick<contract.Alert, 'type' | 'details'> => one,
  (one: Action<'fall'> | Action<'hazard'> | Action<'end_muster'> | Action<'signal'>): ActionBody => one,
];

test.each(Object.keys(GENERATED_FILES))('%s', async (path) => {
  const written = readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8');
  // Compared as a whole, because a difference of a long file says nothing: the command renews it.
  const isRenewed = written === (await GENERATED_FILES[path]!());
  expect(isRenewed, 'node --import tsx test/generated/write.ts renews it').toBe(true);
});
