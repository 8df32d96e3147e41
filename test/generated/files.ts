/** Every generated file of the project, by its path: `node --import tsx test/generated/write.ts` writes them. */
import { editorSchema } from '../../src/scenario/language/derive/editor-schema.ts';
import { defaultPlants } from '../plant/read-default-plants.ts';
import { coverageReadme } from '../scenario/coverage.ts';
import { libraryOptionTypes, testingPage } from './options.ts';
import { actionsPage, configurationPage, gapsPage, legendPage, scenarioPage } from './pages.ts';
import { contractTypes } from './typescript.ts';
import { apiPage, eventsPage, verificationPage, watchPage } from './wire.ts';

export const GENERATED_FILES: Readonly<Record<string, () => string | Promise<string>>> = {
  'scenario.schema.json': () => `${JSON.stringify(editorSchema(), null, 2)}\n`,
  'scenarios/README.md': coverageReadme,
  'src/plant/default-plants.json': () => `${JSON.stringify(defaultPlants())}\n`,
  'src/library/contract-types.ts': contractTypes,
  'src/library/option-types.ts': libraryOptionTypes,
  'docs/scenario-reference.md': scenarioPage,
  'docs/actions.md': actionsPage,
  'docs/configuration.md': configurationPage,
  'docs/testing.md': testingPage,
  'docs/watch-protocol.md': watchPage,
  'docs/api.md': apiPage,
  'docs/events.md': eventsPage,
  'docs/webhook-verification.md': verificationPage,
  'docs/gaps.md': gapsPage,
  'docs/legend.md': legendPage,
};
