/** Compares a service with a sandbox: the read-only checks, the permitted writes, and the open points. [cli, compare] */
import type { ComparedService } from './checks.ts';
import type { ComparedCheck } from './compared-check.ts';
import type { Deviation } from './exchange.ts';
import { folded } from './folding.ts';
import { JudgedService } from './judged-service.ts';
import type { ContractJudge } from './judging/judge.ts';
import { observe } from './observe.ts';
import { observePoints, type PointRow } from './open-points/rows.ts';
import { type AllowedWrites, compareWrites } from './writes.ts';

export interface ServiceComparison {
  readonly checks: readonly ComparedCheck[];
  /** Deviations of the service's answers from the contract. */
  readonly deviations: readonly Deviation[];
  readonly points: readonly PointRow[];
}

interface ComparisonParts {
  readonly service: ComparedService;
  readonly sandbox: ComparedService;
  /** Judges the service's answers. */
  readonly judge: ContractJudge;
  readonly allowed: AllowedWrites;
  /** Raises an alert in the sandbox, and returns its id. */
  readonly newAlert: () => Promise<string>;
  /** Readings of the sandbox that differ from the default, by switch. */
  readonly assumed: Readonly<Record<string, string>>;
}

/** Rejects with `ServiceRefused` if the service cannot be reached. */
export async function compareService(parts: ComparisonParts): Promise<ServiceComparison> {
  const service = new JudgedService(parts.service, parts.judge);
  const { sandbox, allowed, newAlert, assumed } = parts;
  const read = await observe({ service, sandbox });
  const written = await compareWrites({ service, sandbox, allowed, newAlert });
  const points = await observePoints({ service, writes: written.exchanges }, assumed);
  return folded({ checks: [...read, ...written.checks], deviations: service.deviations, points });
}
