/** The rooms of src, and the modules in them. */

/** A room without modules of its own is one module. */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  contract: [],
  plant: [],
  watching: ['state', 'drawing', 'regions', 'updates'],
  service: ['domain', 'engine', 'store', 'api', 'broker', 'webhooks', 'panel'],
  fleet: [],
  scenario: [],
  dashboard: [],
  proving: ['certify', 'explore', 'compare', 'drill'],
  sandbox: [],
  library: [],
  cli: [],
};

/** Names of all modules. */
export const MODULES: readonly string[] = Object.entries(ROOMS).flatMap(([room, modules]) =>
  modules.length === 0 ? [room] : modules,
);

/** The folder of a module in src and in test. */
export const folderOf = (module: string): string => {
  const [room] = Object.entries(ROOMS).find(([, modules]) => modules.includes(module)) ?? [];
  return room === undefined ? module : `${room}/${module}`;
};

/** The first folder of a path in src or test. */
export const roomOf = (path: string): string => path.split('/')[0] as string;

/** The module of a path in src, or the first folders of a path in test. */
export const moduleOf = (path: string): string => {
  const [room = '', module = ''] = path.split('/');
  return ROOMS[room]?.includes(module) ? module : room;
};

/** A module imports modules of lower layers only; base and contract do not import each other. */
export const LAYERS: Readonly<Record<string, number>> = {
  base: 0,
  contract: 0,
  plant: 1,
  state: 1,
  drawing: 1,
  regions: 2,
  updates: 3,
  domain: 2,
  engine: 3,
  store: 4,
  api: 4,
  broker: 4,
  webhooks: 4,
  panel: 4,
  fleet: 4,
  scenario: 4,
  dashboard: 4,
  certify: 5,
  explore: 5,
  compare: 5,
  drill: 5,
  sandbox: 5,
  library: 6,
  cli: 6,
};

/**
 * What each module imports, types included. Outsiders (`fleet`, `scenario`, `dashboard`) know what a real watch, client or
 * person would know. Add an entry only for a good reason: each one is a module more that a reader has to know.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  contract: [],
  plant: ['base', 'contract'],
  state: ['base', 'contract'],
  drawing: ['base', 'contract'],
  regions: ['base', 'contract', 'state', 'drawing'],
  updates: ['base', 'regions'],
  domain: ['base', 'contract', 'plant'],
  engine: ['base', 'contract', 'domain'],
  store: ['base', 'domain', 'engine'],
  api: ['base', 'contract', 'domain', 'engine'],
  broker: ['base', 'contract', 'domain', 'engine'],
  webhooks: ['base', 'contract', 'domain', 'engine'],
  panel: ['base', 'contract', 'state', 'drawing', 'regions', 'updates', 'domain', 'engine'],
  fleet: ['base', 'contract'],
  scenario: ['base', 'contract', 'plant', 'state', 'drawing', 'regions', 'updates'],
  dashboard: ['base', 'contract', 'state'],
  certify: ['base', 'contract', 'drawing', 'domain', 'webhooks'],
  explore: ['base', 'contract', 'plant', 'drawing', 'scenario'],
  compare: ['base', 'contract', 'drawing', 'scenario'],
  drill: ['base', 'contract', 'plant', 'state', 'drawing', 'fleet'],
  sandbox: [
    'base',
    'contract',
    'plant',
    'domain',
    'engine',
    'store',
    'api',
    'broker',
    'webhooks',
    'panel',
    'fleet',
    'scenario',
  ],
  library: ['base', 'contract', 'plant', 'domain', 'scenario', 'sandbox'],
  cli: [
    'base',
    'contract',
    'plant',
    'state',
    'drawing',
    'domain',
    'engine',
    'store',
    'api',
    'broker',
    'webhooks',
    'fleet',
    'scenario',
    'dashboard',
    'certify',
    'explore',
    'compare',
    'drill',
    'sandbox',
  ],
};

/**
 * The modules that a part reaches, directly or through others, types included: what somebody has to know who changes it.
 * Modules that are below all others (`base`, `contract`) are not listed.
 */
export const REACHES: Readonly<Record<string, readonly string[]>> = {
  fleet: [],
  dashboard: ['state'],
  certify: ['drawing', 'domain', 'webhooks'],
  explore: ['drawing', 'plant', 'scenario'],
  compare: ['drawing', 'scenario'],
  drill: ['plant', 'state', 'drawing', 'fleet'],
};
