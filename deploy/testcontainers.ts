/** A sandbox in a container for a test: `npm install --save-dev testcontainers`, and an image of deploy/Dockerfile. */
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';

export interface ContainedSandbox {
  readonly apiUrl: string;
  readonly mqttUrl: string;
  readonly controlToken: string;
  readonly clients: readonly { readonly client_id: string; readonly client_secret: string }[];
  stop(): Promise<void>;
}

/** Where a container is not needed, `startSandbox` of the package does the same in the test's own process, in half a second. */
export async function containedSandbox(image = 'muster-sandbox'): Promise<ContainedSandbox> {
  const container = await new GenericContainer(image)
    .withCommand(['up', '--memory', '--json', '--ready-file', '/tmp/ready.json'])
    .withExposedPorts(4600, 1883)
    .withWaitStrategy(Wait.forHttp('/healthz', 4600).forStatusCode(200))
    .start();
  const { data } = JSON.parse(await fileOf(container, '/tmp/ready.json'));
  const at = (port: number) => `${container.getHost()}:${container.getMappedPort(port)}`;
  return {
    apiUrl: `http://${at(4600)}`,
    mqttUrl: `mqtt://${at(1883)}`,
    controlToken: data.control_token,
    clients: data.clients,
    stop: async () => void (await container.stop()),
  };
}

/** The API answers before the fleet is connected, and the file is there after it. */
async function fileOf(container: StartedTestContainer, path: string): Promise<string> {
  const wait = `until [ -s ${path} ]; do sleep 0.1; done; cat ${path}`;
  const { output, exitCode } = await container.exec(['timeout', '30', 'sh', '-c', wait]);
  if (exitCode !== 0) throw new Error(`The sandbox was not ready within 30 s: ${output}`);
  return output;
}
