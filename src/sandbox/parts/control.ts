/** What serves the control room and test code: actions, waits, recordings and scenarios. */

import { idFrom } from '../../base/ids.ts';
import type { Stops } from '../../base/stops.ts';
import type { ActionBody } from '../../contract/actions.ts';
import { RateLimiter } from '../../service/api/access/limits.ts';
import type { InProcessGet } from '../../service/api/in-process.ts';
import { Arrivals } from '../../service/api/requests/arrivals.ts';
import { ApiFaults } from '../../service/api/requests/faults.ts';
import type { ActionOutcome } from '../../service/api/route.ts';
import type { Api } from '../../service/api/server.ts';
import type { EmbeddedBroker } from '../../service/broker/broker.ts';
import type { TokenViewer } from '../../service/domain/access/viewer.ts';
import { systemResolver } from '../../service/webhooks/resolver.ts';
import type { Webhooks } from '../../service/webhooks/webhooks.ts';
import { act } from '../actions/act.ts';
import type { Acting } from '../actions/acting.ts';
import { toBroker } from '../fleet/watches.ts';
import { Recorder } from '../recording/recorder.ts';
import { Runs } from '../runs/runs.ts';
import { scenarioFolders } from '../runs/scenario-folders.ts';
import { Waits } from '../runs/waits.ts';
import { looksInto } from '../stage-looks.ts';
import { worldStates } from '../world/states.ts';
import type { SandboxCore } from './core.ts';
import type { LifeControl } from './storage.ts';

/** Listeners that have started; actions, waits and scenarios reach them here, because they start after what they offer. */
export interface SandboxListeners {
  api: Api | null;
  /** Null with an external broker, because the sandbox can neither stop nor empty it. */
  broker: EmbeddedBroker | null;
  webhooks: Webhooks | null;
}

export function startControl(core: SandboxCore, lives: LifeControl, stops: Stops) {
  const { options, planned, opened, limits, secrets, tls, stored } = core;
  const { addresses, assumptions, engine, fleets } = core;
  const { meta, clock } = stored;
  const forwards = new Map([...(options.forwards ?? [])].map(([name, url]) => [name.toLowerCase(), new URL(url)]));
  const resolve = systemResolver(engine.clock);
  let made = 0;
  const newId = (kind: string): string => idFrom(meta.salt, kind, clock.now(), ++made);
  const limiter = new RateLimiter(limits);
  const faults = new ApiFaults(clock, meta.salt);
  const arrivals = new Arrivals();
  const listeners: SandboxListeners = { api: null, broker: null, webhooks: null };
  /** What a viewer would get from the API now; null before the API has started. */
  const get: InProcessGet = (viewer, target) => listeners.api?.get(viewer, target) ?? null;
  const acting: Acting = {
    engine,
    limiter,
    faults,
    listeners,
    assumptions,
    store: opened.store,
    fleet: fleets,
    watchKey: (serial) => secrets.watch(serial),
  };

  const lookOf = (viewer: TokenViewer | null) => looksInto({ engine, fleet: fleets, get }, viewer);
  const waits = new Waits({ engine, addresses, lookOf });
  stops.add(() => waits.stop());
  const { plan } = planned;
  const recorder = new Recorder({ engine, addresses, fleets, plan, newId: () => newId('recording') });
  stops.add(() => recorder.stop());
  const runs = new Runs({
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
  });

  const settle = () => Promise.all([engine.flush(), fleets.keep()]);
  const states = worldStates(core, lives, settle);
  const perform = async (body: ActionBody, viewer: TokenViewer | null): Promise<ActionOutcome> => {
    const [done, taken] = [waits.begin(viewer), recorder.acting(body, viewer)];
    const outcome = await act(acting, body, viewer);
    done(outcome);
    taken(outcome);
    return outcome;
  };
  return {
    forwards,
    resolve,
    limiter,
    faults,
    arrivals,
    listeners,
    get,
    acting,
    waits,
    recorder,
    runs,
    settle,
    states,
    perform,
  };
}

export type SandboxControl = SandboxCore & ReturnType<typeof startControl>;
