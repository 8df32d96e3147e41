/** Judges a device of this folder, as the command does, in this process; the device is a child of its own. */
import type { MachineTime } from '../../../../src/base/time/timers.ts';
import { chosenChecks } from '../../../../src/cli/certify/report.ts';
import { startWatchSandbox } from '../../../../src/cli/certify/watch-sandbox.ts';
import { type CheckOutcome, countsOf } from '../../../../src/proving/certify/certify.ts';
import { checkName } from '../../../../src/proving/certify/check.ts';
import { WATCH_CHECKS } from '../../../../src/proving/certify/watch/catalogue.ts';
import { certifyWatch } from '../../../../src/proving/certify/watch/certify-watch.ts';
import { DeviceProcess } from '../../../../src/proving/certify/watch/device-process.ts';
import { WatchTap } from '../../../../src/proving/certify/watch/tap.ts';
import { bundledScript } from '../../../helpers/bundles.ts';
import { conclusive } from '../conclusive.ts';

const SERIAL = 'ACME-0001';

export interface JudgedDevice {
  readonly positionEveryMs: number;
  readonly mistake?: string;
  readonly only?: string;
  /** Default: the right one. */
  readonly key?: string;
  readonly startLimitMs?: number;
  /** Default: the time of this process. A check that it made late is then judged by `conclusive`. */
  readonly machine?: MachineTime;
}

/** The names of the checks that failed or were inconclusive, and the counts. */
export async function judgeDevice(file: string, judged: JudgedDevice) {
  const judge = () => outcomesOf(file, judged);
  const outcomes = judged.machine === undefined ? await conclusive(judge) : await judge();
  const failed = outcomes.filter(({ result }) => result === 'failed').map(({ check }) => checkName(check));
  const inconclusive = outcomes.filter((one) => one.isInconclusive).map(({ check }) => checkName(check));
  return { failed, inconclusive, counts: countsOf(outcomes) };
}

async function outcomesOf(
  file: string,
  { positionEveryMs, mistake = '', only, key, startLimitMs = 100_000, machine }: JudgedDevice,
): Promise<readonly CheckOutcome[]> {
  const timing = { positionEveryMs, alarmEveryMs: positionEveryMs / 2, promptMs: 3_000 };
  const sandbox = await startWatchSandbox({ serial: SERIAL, key: null, ...timing });
  const tap = await WatchTap.start(sandbox.broker, { host: '127.0.0.1', port: 0 });
  const device = new DeviceProcess(`MISTAKE=${mistake} exec ${process.execPath} ${bundledScript(file)}`, {
    SANDBOX_MQTT_URL: `mqtt://127.0.0.1:${tap.port}`,
    SANDBOX_WATCH_SERIAL: SERIAL,
    SANDBOX_WATCH_KEY: key ?? sandbox.key,
    SANDBOX_SITE_ID: sandbox.siteId,
  });
  device.onEnd(() => tap.wake());
  try {
    await device.ask({ do: 'hello' });
    return await certifyWatch({
      tap,
      service: sandbox,
      hand: device,
      checks: chosenChecks(only, WATCH_CHECKS),
      startLimitMs,
      deviceEnded: () => device.ended,
      ...(machine === undefined ? {} : { machine }),
      onOutcome: () => {},
      signal: new AbortController().signal,
    });
  } finally {
    await device.stop();
    await tap.stop();
    await sandbox.stop();
  }
}
