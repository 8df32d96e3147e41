/** The parts that serve the control room and test code: actions, waits, recordings and scenarios. */

import { idFrom } from '../../base/ids.ts';
import { RateLimiter } from '../../service/api/access/limits.ts';
import { Arrivals } from '../../service/api/requests/arrivals.ts';
import { ApiFaults } from '../../service/api/requests/faults.ts';
import { systemResolver } from '../../service/webhooks/resolver.ts';
import { act } from '../actions/act.ts';
import { toBroker } from '../fleet/watches.ts';
import { DEFAULT_DATA_DIR } from '../options/values.ts';
import { Recorder } from '../recording/recorder.ts';
import { Runs } from '../runs/runs.ts';
import { scenarioFolders } from '../runs/scenario-folders.ts';
import { Waits } from '../runs/waits.ts';
import { looksInto } from '../stage-looks.ts';
import { worldStates } from '../world/states.ts';
import { part, type SandboxPart } from './parts.ts';

export const CONTROL_PARTS: readonly SandboxPart[] = [
  part({
    name: 'forwards',
    needs: ['options'],
    start: ({ options }) =>
      new Map([...(options.forwards ?? [])].map(([name, url]) => [name.toLowerCase(), new URL(url)])),
  }),
  part({ name: 'resolve', needs: ['engine'], start: ({ engine }) => systemResolver(engine.clock) }),
  part({
    name: 'newId',
    needs: ['stored'],
    start: ({ stored: { meta, clock } }) => {
      let made = 0;
      return (kind) => idFrom(meta.salt, kind, clock.now(), ++made);
    },
  }),
  part({ name: 'limiter', needs: ['limits'], start: ({ limits }) => new RateLimiter(limits) }),
  part({
    name: 'faults',
    needs: ['stored'],
    start: ({ stored: { meta, clock } }) => new ApiFaults(clock, meta.salt),
  }),
  part({ name: 'arrivals', needs: [], start: () => new Arrivals() }),
  part({
    name: 'listeners',
    needs: [],
    because: 'Actions, waits and scenarios reach the listeners, which start after what they offer.',
    start: () => ({ api: null, broker: null, webhooks: null }),
  }),
  part({
    name: 'get',
    needs: ['listeners'],
    start:
      ({ listeners }) =>
      (viewer, target) =>
        listeners.api?.get(viewer, target) ?? null,
  }),
  part({
    name: 'acting',
    needs: ['engine', 'opened', 'limiter', 'faults', 'listeners', 'assumptions', 'fleets', 'secrets'],
    start: ({ opened, fleets, secrets, ...parts }) => ({
      ...parts,
      store: opened.store,
      fleet: fleets,
      watchKey: (serial) => secrets.watch(serial),
    }),
  }),
  part({
    name: 'waits',
    needs: ['engine', 'addresses', 'fleets', 'get'],
    start: ({ engine, addresses, fleets, get }) =>
      new Waits({ engine, addresses, lookOf: (viewer) => looksInto({ engine, fleet: fleets, get }, viewer) }),
    stop: (waits) => waits.stop(),
  }),
  part({
    name: 'recorder',
    needs: ['engine', 'addresses', 'fleets', 'planned', 'newId'],
    start: ({ engine, addresses, fleets, planned, newId }) =>
      new Recorder({ engine, addresses, fleets, plan: planned.plan, newId: () => newId('recording') }),
    stop: (recorder) => recorder.stop(),
  }),
  part({
    name: 'runs',
    needs: [
      'engine',
      'addresses',
      'secrets',
      'tls',
      'forwards',
      'fleets',
      'listeners',
      'acting',
      'get',
      'waits',
      'newId',
    ],
    start: ({ engine, addresses, secrets, tls, forwards, fleets, listeners, acting, get, waits, newId }) =>
      new Runs({
        host: {
          engine,
          addresses,
          secrets,
          tls,
          forwards,
          fleets,
          get,
          controlToken: secrets.control(),
          apiUrl: () => addresses.apiUrl,
          mqttUrl: () => addresses.mqttUrl,
          toBroker: () => toBroker(addresses.mqttUrl, listeners.broker),
          webhooks: () => listeners.webhooks,
          acting: () => acting,
        },
        folders: scenarioFolders(),
        newId: () => newId('run'),
        began: (organizationId) => waits.began(organizationId),
      }),
  }),
  part({
    name: 'states',
    needs: ['lives', 'options', 'engine', 'fleets'],
    start: ({ lives, options, engine, fleets }) =>
      worldStates(lives, options.dataDir ?? DEFAULT_DATA_DIR, () => Promise.all([engine.flush(), fleets.keep()])),
  }),
  part({
    name: 'perform',
    needs: ['acting', 'waits', 'recorder'],
    start:
      ({ acting, waits, recorder }) =>
      async (body, viewer) => {
        const [done, taken] = [waits.begin(viewer), recorder.acting(body, viewer)];
        const outcome = await act(acting, body, viewer);
        done(outcome);
        taken(outcome);
        return outcome;
      },
  }),
];
