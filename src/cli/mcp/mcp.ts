/** `sandbox mcp`: a server of the Model Context Protocol on stdio, by which a coding agent uses the sandbox. [cli, mcp] */
import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { isFromSettings } from '../config-file.ts';
import { EXIT, envelope, out, outLine, usage } from '../output.ts';
import { sandboxFlag } from '../sandbox-flags.ts';

const HELP = `
A coding agent can use the tools of this server to start a sandbox, perform actions, wait, read events and
deliveries, write and run scenarios, and test a receiver. The agent starts the command itself. Add it to the
configuration of the agent:

  {"mcpServers": {"sandbox": {"command": "npx", "args": ["muster-sandbox", "mcp"]}}}

  ${CLI} mcp --list      lists the tools:
  start_sandbox      Start a sandbox
  perform_action     Perform an action
  ...

The server reads and writes only files in its working folder and below. Scenarios and receivers can start
commands only with --allow-commands. When the client disconnects, the server ends and stops its sandbox.
With --data-dir, the tools use the running sandbox of that folder: start_sandbox is refused, and neither
stop_sandbox nor the end of the server stops it.

Exit codes: 0 the client disconnected, 3 no sandbox runs in the folder of --data-dir, 130 interrupted.`;

interface McpFlags {
  readonly allowCommands?: boolean;
  readonly dataDir?: string;
  readonly list?: boolean;
  readonly json?: boolean;
}

export function defineMcp(program: Command, ended: (code: number) => void): void {
  program
    .command('mcp')
    .description('run a server for coding agents (Model Context Protocol on stdin and stdout)')
    .addOption(sandboxFlag('allowCommands', 'mcp'))
    .option('--data-dir <folder>', 'use the running sandbox of this data folder instead of starting one')
    .option('--list', 'print the tools and end')
    .option('--json', 'with --list: print the tools with their schemas as one JSON object')
    .addHelpText('after', HELP)
    .action(async ({ allowCommands = false, dataDir, list = false, json = false }: McpFlags, command: Command) => {
      // Imported here, so that the package of the protocol is loaded only for this command.
      const { publishedTools, serve, toolLines } = await import('./serve.ts');
      if (json && !list) throw usage('--json goes with --list: what mcp says is the protocol.');
      if (!list) {
        // The settings file names the folder of `up`: an agent joins that sandbox only if the flag says so.
        const joins = isFromSettings(command, 'data-dir') ? null : (dataDir ?? null);
        return ended(await serve({ allowsCommands: allowCommands, folder: process.cwd(), joins }));
      }
      if (json) out(JSON.stringify(envelope('mcp', { tools: publishedTools() })));
      else for (const line of toolLines()) outLine(line);
      ended(EXIT.done);
    });
}
