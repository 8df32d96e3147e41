/** A start that fails leaves nothing behind. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts';

async function start(port: number, mqttPort: number): Promise<Sandbox> {
  const dataDir = mkdtempSync(join(tmpdir(), 'muster-parts-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const sandbox = await startSandbox({ dataDir, port, mqttPort, memory: true, watches: 2, fleet: false });
  onTestFinished(() => sandbox.stop());
  return sandbox;
}

test('the parts before a failed one are stopped: the port of the API is free again', async () => {
  const first = await start(0, 0);
  const [port, mqttPort] = [first.ready.api_url, first.ready.mqtt_url].map((url) => Number(new URL(url).port));
  await first.stop();
  await start(0, mqttPort as number);
  await expect(start(port as number, mqttPort as number)).rejects.toThrow(`The MQTT port ${mqttPort} is taken`);
  expect((await start(port as number, 0)).ready.api_url).toBe(first.ready.api_url);
});
