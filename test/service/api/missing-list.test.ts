/** The spliced missing list equals the view byte for byte, whatever changed since the last request. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { missingList } from '../../../src/service/api/answers/missing-list.ts';
import { clientOf, type Viewer, viewerOf } from '../../../src/service/domain/access/viewer.ts';
import { missingIn, missingView } from '../../../src/service/domain/views/muster.ts';
import { MusterWorld } from '../domain/musters/muster-world.ts';
import { scenarios } from '../domain/musters/random-steps.ts';
import { ORG } from '../domain/small-world.ts';

const looks = fc.infiniteStream(fc.record({ names: fc.boolean(), positions: fc.boolean(), again: fc.boolean() }));

test('it reads as the view does, for every viewer, at every moment of any muster', () => {
  let entries = 0;
  fc.assert(
    fc.property(scenarios, looks, fc.constantFrom('continuous', 'on_demand'), (scenario, looking, privacyMode) => {
      const small = new MusterWorld({ site: { plan: { general: 60_000 }, privacyMode } });
      small.worker(4, 'Zoë "Z" \\ Ñandú', 'Sur SL');
      small.worker(5, 'Person 5');
      for (const step of [(world: MusterWorld) => void world.start(), ...scenario]) {
        step(small);
        const { world, now } = small;
        const { again, ...look } = looking.next().value;
        for (const muster of world.all('muster')) {
          const viewer: Viewer = { ...viewerOf(clientOf(world, ORG)), names: look.names };
          const missing = missingIn(world, muster, viewer, now);
          const data = missing.map((one) => missingView(world, one, viewer, look.positions));
          entries += data.length;
          for (let request = 0; request < (again ? 2 : 1); request++)
            expect(
              missingList(world, muster.id, missing, {
                viewer,
                positions: look.positions,
                isLeftOut: false,
              }).text.toString(),
            ).toBe(JSON.stringify({ data }));
        }
      }
    }),
    { numRuns: 60, seed: 8 },
  );
  expect(entries).toBeGreaterThan(1_000);
});
