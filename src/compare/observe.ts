/**
 * Sends the contract's read-only checks to a service and to a sandbox, and compares what they answer: status, code, headers and
 * shape of the body. What a world has in it differs, so values are not compared. [cli, compare]
 */
import { type ComparedService, READ_CHECKS } from './checks.ts';
import { type ComparedCheck, comparedCheck } from './compared-check.ts';
import type { JudgedService } from './judged-service.ts';
import { readFurther } from './readings.ts';

interface ObserveParts {
  /** Judges its answers. */
  readonly service: JudgedService;
  readonly sandbox: ComparedService;
}

/** The checks as they compared. What of the service's answers does not fit the contract is in `service`. */
export async function observe({ service, sandbox }: ObserveParts): Promise<ComparedCheck[]> {
  const checks: ComparedCheck[] = [];
  for (const check of READ_CHECKS) {
    const theirs = await service.call(check.request).catch((error: Error) => error);
    // Nothing was answered at all: the address or the client is wrong, and the other checks would say it again.
    if (theirs instanceof Error && checks.every((one) => one.service === null)) throw theirs;
    const ours = await sandbox.call(check.request);
    const found = theirs instanceof Error ? [] : service.foundIn(theirs);
    checks.push(comparedCheck(check, { theirs, ours, found, mayRead: service.canRead(check.request) }));
  }
  await readFurther(service);
  return checks;
}
