/**
 * Sends the contract's read-only checks to a service and to a sandbox, and compares the answers: status, code, headers and
 * fields of the body. Values are not compared, because the worlds differ. [cli, compare]
 */
import { type ComparedService, READ_CHECKS } from './checks.ts';
import { type ComparedCheck, comparedCheck } from './compared-check.ts';
import type { JudgedService } from './judged-service.ts';
import { readFurther } from './readings.ts';

interface ObserveParts {
  /** Judges and caches the answers of the service. */
  readonly service: JudgedService;
  readonly sandbox: ComparedService;
}

/** Returns the compared checks. The deviations of the service are in `service.deviations`. */
export async function observe({ service, sandbox }: ObserveParts): Promise<ComparedCheck[]> {
  const checks: ComparedCheck[] = [];
  for (const check of READ_CHECKS) {
    const theirs = await service.call(check.request).catch((error: Error) => error);
    // The service has answered no request: the address or the client is wrong, and all other checks would fail too.
    if (theirs instanceof Error && checks.every((one) => one.service === null)) throw theirs;
    const ours = await sandbox.call(check.request);
    const found = theirs instanceof Error ? [] : service.foundIn(theirs);
    checks.push(comparedCheck(check, { theirs, ours, found, mayRead: service.canRead(check.request) }));
  }
  await readFurther(service);
  return checks;
}
