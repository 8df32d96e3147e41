/** The flags of the coverage. What reads them loads the catalogue, which other commands do not need. */
import { Option } from 'commander';
import { many } from '../values.ts';

/** `--coverage FILE` of `exec` and `run`. */
export const coverageFlag = (): Option =>
  new Option(
    '--coverage <file>',
    'write what of the contract your programs have met; an existing file is united with it',
  );

/** `--coverage-floor GROUP=PERCENT` of `status`, `exec` and `run`. */
export const coverageFloorFlag = (): Option =>
  new Option(
    '--coverage-floor <group=percent>',
    'exit with 1 if less of this group was met, such as operations=80 (repeatable)',
  ).argParser(many);

export interface CoverageFlags {
  readonly coverage?: string;
  readonly coverageFloor?: readonly string[];
}

/** Refuses a file of another catalogue, and floors of another form, before the command does its work. */
export async function mayKeep({ coverage, coverageFloor }: CoverageFlags): Promise<void> {
  if (coverage === undefined && coverageFloor === undefined) return;
  const { floorsOf, mayUnite } = await import('./files.ts');
  floorsOf(coverageFloor);
  if (coverage !== undefined) mayUnite(coverage);
}
