/** A small plant with watches, and the engine that runs it: what tests of the broker and the fleet stand on. */

import { idFrom, sha256Hex } from '../../src/base/ids.ts';
import type { Clock } from '../../src/base/time/clock.ts';
import { SCOPES } from '../../src/contract/enumerations.ts';
import type { Notice } from '../../src/contract/notices.ts';
import type { FleetWatch } from '../../src/fleet/fleet.ts';
import type { Device, Documents, Kind } from '../../src/service/domain/world/documents.ts';
import { World } from '../../src/service/domain/world/world.ts';
import { Engine } from '../../src/service/engine/engine.ts';
import type { Store } from '../../src/service/engine/store-port.ts';
import { openSqliteStore } from '../../src/service/store/sqlite/store.ts';

/** 2026-10-05T06:00:00Z. */
export const START = 1_791_180_000_000;

export const SITE = idFrom('test', 'site');
export const ORIGIN = { latitude: 37.2, longitude: -6.9 };

/** `W-001`, `W-002`, ... */
export const serialOf = (n: number): string => `W-${String(n).padStart(3, '0')}`;
export const keyOf = (serial: string): string => `key-of-${serial}`;
export const deviceIdOf = (serial: string): string => idFrom('test', 'device', serial);
export const workerIdOf = (serial: string): string => idFrom('test', 'worker', serial);

export interface Plant {
  readonly engine: Engine;
  readonly world: World;
  readonly notices: Notice[];
  /** Resolves with the next notice (also an earlier one, from `since` on) that fits. */
  seen(fits: (notice: Notice) => boolean, since?: number): Promise<Notice>;
  close(): Promise<void>;
}

export interface PlantOptions {
  readonly watches?: number;
  readonly store?: Store;
  readonly positionEveryMs?: number;
}

/** A plant of one site and one zone, each watch with its worker. */
export async function plantOf(clock: Clock, { watches = 3, store, positionEveryMs = 10_000 }: PlantOptions = {}) {
  const kept = store ?? (await openSqliteStore({ file: ':memory:' }));
  const world = worldOf(watches, positionEveryMs);
  const engine = new Engine({
    clock,
    store: kept,
    world,
    salt: 'test',
    addresses: { panelUrl: 'http://127.0.0.1/panel' },
    onBroken: () => {},
  });
  const notices: Notice[] = [];
  const waiting = new Set<() => void>();
  engine.listen({
    notice: (notice) => {
      notices.push(notice);
      for (const look of [...waiting]) look();
    },
  });
  engine.start();
  const plant: Plant = {
    engine,
    world,
    notices,
    seen: (fits, since = 0) =>
      new Promise((resolve) => {
        const look = () => {
          const found = notices.slice(since).find(fits);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    async close() {
      await engine.stop();
      await kept.close();
    },
  };
  return plant;
}

/** The same watches as the fleet knows them. */
export function fleetWatchesOf(count: number, rest: Partial<FleetWatch> = {}): FleetWatch[] {
  return Array.from({ length: count }, (_, index): FleetWatch => {
    const serial = serialOf(index + 1);
    return {
      serial,
      key: keyOf(serial),
      siteId: SITE,
      origin: ORIGIN,
      at: [10 + index, 10],
      area: [
        [0, 0],
        [200, 0],
        [200, 200],
        [0, 200],
      ],
      pace: 1.2,
      worn: 'on',
      batteryPct: 80,
      behave: 'scripted',
      lastSession: 0,
      positionEveryMs: 10_000,
      alarmEveryMs: 5_000,
      ...rest,
    };
  });
}

function worldOf(watches: number, positionEveryMs: number): World {
  const world = new World();
  const put = <K extends Kind>(kind: K, document: Documents[K]) => world.load(kind, document);
  const organizationId = idFrom('test', 'organization');
  put('organization', { id: organizationId, name: 'Acme', technicalContact: 'tech@acme.example' });
  put('client', {
    id: 'acme',
    organizationId,
    secretHash: '',
    scopes: SCOPES,
    includeWorkerNames: true,
    contractors: null,
  });
  put('site', {
    id: SITE,
    organizationId,
    name: 'North plant',
    location: null,
    privacyMode: 'continuous',
    heatIndexC: null,
    wind: null,
    unveilMinSeverity: 'high',
    origin: ORIGIN,
    boundary: [
      [-500, -500],
      [500, -500],
      [500, 500],
      [-500, 500],
    ],
    plan: {},
    thresholds: {
      fallPromptMs: 30_000,
      noSignalAfterMs: 90_000,
      offlineAfterMs: 600_000,
      positionEveryMs,
      alarmEveryMs: 5_000,
      lowBatteryPct: 20,
      lowBatteryClearPct: 25,
      missingAfterMs: 900_000,
      heat: { indexC: 41, sunIndexC: 32, sunMs: 3_600_000, windowMs: 5_400_000, againAfterMs: 3_600_000 },
    },
  });
  for (let n = 1; n <= watches; n++) {
    const serial = serialOf(n);
    put('worker', {
      id: workerIdOf(serial),
      organizationId,
      siteId: SITE,
      externalId: `E-${n}`,
      name: `Worker ${n}`,
      contractor: null,
      role: null,
      isActive: true,
      deviceId: deviceIdOf(serial),
    });
    put('device', deviceOf(serial, organizationId));
  }
  return world;
}

const deviceOf = (serial: string, organizationId: string): Device => ({
  id: deviceIdOf(serial),
  organizationId,
  siteId: SITE,
  serial,
  keyHash: sha256Hex(keyOf(serial)),
  model: null,
  status: 'active',
  workerId: workerIdOf(serial),
  emulated: true,
  batteryLow: false,
  silenceReported: false,
  heatIndexC: null,
  heatAlertedAt: null,
});
