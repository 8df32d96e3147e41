/** All that can be read from a world, as one value: documents in their order, telemetry, and what each index finds. */
import { KINDS } from '../../../src/service/domain/world/documents.ts';
import type { World } from '../../../src/service/domain/world/world.ts';

/** Groups are public fields of the indexes, so a new one is in the picture without being named here. */
function groupsOf(indexes: object): Record<string, Record<string, readonly unknown[]>> {
  const groups = Object.entries(indexes).filter(([, value]) => typeof value?.of === 'function');
  return Object.fromEntries(
    groups.map(([name, group]) => {
      const lists = [...group.keys()].map((key: string) => [key, [...group.of(key).values()]] as const);
      return [name, Object.fromEntries(lists.filter(([, values]) => values.length > 0).sort(byKey))];
    }),
  );
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1);

export function pictureOf(world: World) {
  const { indexes } = world;
  const musters = [...world.all('muster')];
  return {
    tables: Object.fromEntries(KINDS.map((kind) => [kind, [...world.all(kind)]])),
    counts: Object.fromEntries(KINDS.map((kind) => [kind, world.count(kind)])),
    groups: groupsOf(indexes),
    openBySubject: [...world.all('alert')].map(({ subject }) => [subject, indexes.openAlertId(subject)]),
    bySerial: [...world.all('device')].map(({ serial }) => [serial, indexes.deviceId(serial)]),
    activeMusters: [...indexes.activeMusters()].map(({ id }) => id).sort(),
    expected: musters.map(({ id }) => [id, [...indexes.expectedIn(id)].sort(byKey)]),
    touched: world.touched().map((touched) => ({ ...touched })),
  };
}
