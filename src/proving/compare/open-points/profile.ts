/** Writes the observed readings as a profile: `sandbox up --profile FILE` then has the readings of the service. [cli, compare] */
import { CLI } from '../../../base/text/command-form.ts';
import { isSwitch, SWITCHES } from '../../../contract/gaps.ts';
import type { PointRow } from './rows.ts';

const HEAD = `# Readings of the points that the specification leaves open, as ${CLI} compare observed them at a service.
# ${CLI} up --profile FILE uses the readings below "assume". The readings below "observed" have no switch and no effect.
`;

/** True if the sandbox has a switch for the service's reading. */
export const isSwitchable = ({ switch: name, observed }: PointRow): boolean =>
  name !== null && isSwitch(name) && (SWITCHES[name] as readonly (string | null)[]).includes(observed);

/** Returns the profile as YAML. Readings that no switch has are in `observed`. */
export function profileText(rows: readonly PointRow[]): string {
  const known = rows.filter(({ observed }) => observed !== null);
  const section = (name: string, pairs: readonly (readonly [string | null, string | null])[]): string =>
    pairs.length === 0
      ? `${name}: {}\n`
      : `${name}:\n${pairs.map(([key, value]) => `  ${key}: ${JSON.stringify(value)}\n`).join('')}`;
  return `${HEAD}${section(
    'assume',
    known.filter(isSwitchable).map((row) => [row.switch, row.observed]),
  )}${section(
    'observed',
    known.filter((row) => !isSwitchable(row)).map(({ id, observed }) => [id, observed]),
  )}`;
}
