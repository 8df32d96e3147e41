/** One emulated watch of src/fleet behind the harness of `certify --watch`: what the sandbox's own watches do has to pass too. */
import { createInterface } from 'node:readline';
import { realClock } from '../../../../src/base/time/clocks.ts';
import { type Acted, startFleet } from '../../../../src/fleet/fleet.ts';
import type { DeviceCommand } from '../../../../src/proving/certify/watch/device-driver.ts';

const { SANDBOX_MQTT_URL: brokerUrl = '', SANDBOX_WATCH_SERIAL: serial = '' } = process.env;
const { SANDBOX_WATCH_KEY: key = '', SANDBOX_SITE_ID: siteId = '' } = process.env;

const clock = realClock();
const fleet = startFleet({
  clock,
  brokerUrl,
  seed: 'certify',
  watches: [
    {
      serial,
      key,
      siteId,
      origin: { latitude: -33.03, longitude: -71.63 },
      at: [0, 0],
      area: [
        [0, 0],
        [20, 0],
        [20, 20],
      ],
      pace: 1.2,
      behave: 'scripted',
      worn: 'on',
      batteryPct: 80,
      lastSession: 0,
      positionEveryMs: 10_000,
      alarmEveryMs: 5_000,
    },
  ],
});
clock.start();

/** Undefined: nothing that could be refused. */
function perform(command: DeviceCommand): Promise<Acted | undefined> {
  switch (command.do) {
    case 'hello':
    case 'look':
      return Promise.resolve(undefined);
    case 'sos':
      return fleet.perform(serial, { do: 'sos', with: 'watch_button' });
    case 'fall':
      return fleet.perform(serial, { do: 'fall', answers: 'never' });
    case 'answer':
      return fleet.perform(serial, { do: 'answer', with: command.answer });
    case 'ack':
      return fleet.perform(serial, { do: 'press-ack' });
    case 'call':
      return fleet.perform(serial, { do: 'call-request' });
    case 'help':
      return fleet.perform(serial, { do: 'cannot-evacuate', reason: command.reason });
    case 'declare':
      return fleet.perform(serial, { do: 'declare', pointId: command.point_id });
    case 'wear':
      return fleet.perform(serial, { do: 'wear', is: command.worn ? 'on' : 'off' });
    case 'clock':
      return fleet.perform(serial, { do: 'clock-skew', ms: command.ahead_s * 1_000 });
    case 'end':
      return fleet.stop().then(() => undefined);
  }
}

function shows() {
  const [view] = fleet.views();
  const { prompt = null, muster = null } = view?.shown ?? {};
  const serving = muster?.points.filter(({ status, serves }) => status === 'available' && serves.includes(muster.kind));
  return {
    prompt: prompt !== null,
    muster: muster === null ? null : muster.phase === 'inspecting' ? 'stay_out' : 'evacuate',
    kind: muster?.kind ?? null,
    points: (serving ?? []).map(({ id }) => id),
  };
}

createInterface({ input: process.stdin }).on('line', async (text) => {
  const { id, ...command } = JSON.parse(text) as { id: number } & DeviceCommand;
  const acted = await perform(command);
  const refused = typeof acted === 'object' && 'refused' in acted ? { ok: false, why: acted.refused } : { ok: true };
  const answer = { id, ...refused, ...(command.do === 'look' ? { shows: shows() } : {}) };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
});
process.on('SIGTERM', () => process.exit(0));
