/** Helpers in a muster: each goes to a near person who cannot move, waits there for a limited time, and leads them away once they are free. [realism 2.3] */

import { distance } from '../../../base/geometry/shapes.ts';
import type { Instant } from '../../../base/time/clock.ts';
import type { Life } from '../life.ts';
import type { People } from '../people.ts';
import { HELP_WITHIN_M } from './muster-knobs.ts';
import type { MusterPart } from './muster-part.ts';
import type { MusterWatches } from './muster-watches.ts';
import type { MusterWays } from './muster-ways.ts';

interface HelpingParts {
  readonly people: People;
  readonly life: Life;
  readonly ways: MusterWays;
  readonly watches: MusterWatches;
  /** The part of each person in the muster, by index; null if they have none. */
  readonly parts: readonly (MusterPart | null)[];
}

export class Helping {
  readonly #of: HelpingParts;

  constructor(parts: HelpingParts) {
    this.#of = parts;
  }

  /**
   * Sends a helper to the nearest person who cannot move. If there is none within reach, the helper stays in place for
   * a while, with a person who needs help but has not called.
   */
  begin(i: number, part: MusterPart, now: Instant): void {
    const { people, life, ways, watches } = this.#of;
    watches.add(i, { kind: 'help', reason: 'helping' });
    const at = people.at(i);
    let nearest = HELP_WITHIN_M;
    for (let other = 0; other < people.count; other++) {
      if (!this.#isStuck(other)) continue;
      const metres = distance(at, people.at(other));
      if (metres <= nearest) [part.helped, nearest] = [other, metres];
    }
    const to = part.helped < 0 ? null : people.at(part.helped);
    const heightM = people.height[part.helped] ?? 0;
    const route = to === null ? null : ways.onFoot(i, to, heightM, now);
    if (route === null || to === null) {
      part.helped = -1;
      part.stage = 'helps';
      people.until[i] = now + part.temper.helpMs;
      return;
    }
    part.stage = 'to-help';
    life.getOut(i);
    ways.walk(i, part, route, to, heightM, now);
  }

  /** The helper is at the person. Helpers are not held: they wait for a limited time, then leave alone. */
  arrived(i: number, part: MusterPart, now: Instant): void {
    part.stage = 'helps';
    this.#of.people.until[i] = this.#isStuck(part.helped) ? now + part.temper.helpMs : now;
  }

  /** A person was freed: their helpers go with them at the same pace. Returns the helpers. */
  release(i: number, now: Instant): number[] {
    const { parts, people } = this.#of;
    const freed = parts[i]!;
    const helpers: number[] = [];
    for (const [helper, part] of parts.entries()) {
      if (part?.helped !== i) continue;
      helpers.push(helper);
      part.helped = -1;
      part.pace = freed.pace;
      if (part.stage === 'helps') people.until[helper] = now;
    }
    return helpers;
  }

  #isStuck(i: number): boolean {
    return this.#of.parts[i] != null && this.#of.people.stuck.has(i);
  }
}
