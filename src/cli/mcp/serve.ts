/**
 * The server of `sandbox mcp`: offers the tools, with the package of the protocol, until the client disconnects. [cli,
 * mcp]
 */
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { asError } from '../../base/assert.ts';
import { CLI } from '../../base/text/command-form.ts';
import { check } from '../../contract/check.ts';
import { didYouMean } from '../../contract/sentences.ts';
import { VERSION } from '../../sandbox/version.ts';
import { EXIT, talkLine } from '../output.ts';
import { runUntilSignal } from '../signals.ts';
import { FILE_TOOLS } from './file-tools.ts';
import { ToolRefusal } from './refusal.ts';
import { SandboxInHand } from './sandbox-in-hand.ts';
import { SANDBOX_TOOLS } from './sandbox-tools.ts';
import { type McpTool, publishedSchema, type ToolContext } from './tool.ts';

const TOOLS: readonly McpTool[] = [...SANDBOX_TOOLS, ...FILE_TOOLS];

/** One line for each tool, such as `start_sandbox  Start a sandbox`. */
export const toolLines = (): string[] => TOOLS.map(({ name, title }) => `${name.padEnd(18)} ${title}`);

/** The tools as the protocol lists them. */
export const publishedTools = () =>
  TOOLS.map(({ name, title, description, input, readsOnly }) => ({
    name,
    title,
    description,
    inputSchema: { ...publishedSchema(input), type: 'object' as const },
    annotations: { title, readOnlyHint: readsOnly, openWorldHint: false },
  }));

/** The description of the server for an agent. */
const INSTRUCTIONS =
  'A local stand-in for an Alerts and Evacuations Integration API. Typical order: start_sandbox (with mcp --data-dir: sandbox_status); perform_action (an SOS, a fall, a muster); wait_for its event or delivery; call_api or read_deliveries to look; stop_sandbox. For tests that stay: write_scenario, run_scenario. For a webhook receiver: certify_receiver. Answers say what to do next.';

/** Resolves with the exit code when the client has disconnected or a signal came. A sandbox of its own is then stopped; a joined one keeps running. */
export async function serve({
  joins,
  ...given
}: Pick<ToolContext, 'allowsCommands' | 'folder'> & Pick<SandboxInHand, 'joins'>): Promise<number> {
  const sandbox = new SandboxInHand(joins);
  const running = runUntilSignal();
  const handle = serveStdio(() => serverOf({ ...given, sandbox }), {
    onerror: (error) => talkLine(`mcp  ${error.message}`),
  });
  if (process.stdin.isTTY === true)
    talkLine(
      `This is a server for coding agents. It waits for a client on stdin. ${CLI} mcp --help describes the configuration.`,
    );
  const left = new Promise<void>((resolve) => process.stdin.once('close', resolve).once('end', resolve));
  const reason = await Promise.race([running.ended, left.then(() => null)]);
  await handle.close();
  await sandbox.stop();
  running.done();
  return reason === null ? EXIT.done : EXIT.interrupted;
}

function serverOf(given: Omit<ToolContext, 'signal'>): Server {
  const server = new Server(
    { name: 'muster-sandbox', title: 'Muster sandbox', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({ tools: publishedTools() }));
  server.setRequestHandler(
    'tools/call',
    async ({ params: { name, arguments: input = {} } }, { mcpReq: { signal } }) => {
      try {
        return { content: [{ type: 'text', text: JSON.stringify(await answerOf(name, input, { ...given, signal })) }] };
      } catch (error) {
        const details = error instanceof ToolRefusal ? error.details : null;
        const refused = { error: asError(error).message, ...(details == null ? {} : { details }) };
        return { isError: true, content: [{ type: 'text', text: JSON.stringify(refused) }] };
      }
    },
  );
  return server;
}

async function answerOf(name: string, input: unknown, context: ToolContext): Promise<object> {
  const found = TOOLS.find((one) => one.name === name);
  if (found === undefined) {
    const names = TOOLS.map((one) => one.name);
    throw new ToolRefusal(`There is no tool "${name}".${didYouMean(name, names)}`, names);
  }
  const checked = check(found.input, input);
  if (!checked.ok)
    throw new ToolRefusal(
      `The arguments of ${name} are not valid.`,
      checked.errors.map(({ pointer, detail }) => `${pointer || '/'} ${detail}`),
    );
  return found.run(checked.value as never, context);
}
