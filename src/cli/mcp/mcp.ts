/** `sandbox mcp`: a server of the Model Context Protocol on stdio, by which a coding agent uses the sandbox. [cli, mcp] */
import type { Command } from 'commander';
import { CLI } from '../../base/text/command-form.ts';
import { EXIT, envelope, out, outLine, usage } from '../output.ts';
import { sandboxFlag } from '../sandbox-flags.ts';

const HELP = `
For a coding agent: it starts a sandbox, makes things happen, waits, reads events and deliveries, writes and runs scenarios,
and certifies a receiver. Your agent starts this command itself. Its configuration names it:

  {"mcpServers": {"sandbox": {"command": "npx", "args": ["muster-sandbox", "mcp"]}}}

  ${CLI} mcp --list      the tools, a line each:
  start_sandbox      Start a sandbox
  perform_action     Perform an action
  ...

Files are read and written below the folder in which it is started. Scenarios and receivers may start commands only with
--allow-commands. It ends with its client, and the sandbox with it.

Exit codes: 0 the client left, 130 interrupted.`;

interface McpFlags {
  readonly allowCommands?: boolean;
  readonly list?: boolean;
  readonly json?: boolean;
}

export function defineMcp(program: Command, ended: (code: number) => void): void {
  program
    .command('mcp')
    .description('a server for coding agents: Model Context Protocol on stdin and stdout')
    .addOption(sandboxFlag('allowCommands', 'mcp'))
    .option('--list', 'print the tools, and end')
    .option('--json', 'with --list: the tools with their schemas, in the envelope')
    .addHelpText('after', HELP)
    .action(async ({ allowCommands = false, list = false, json = false }: McpFlags) => {
      // The package of the protocol is loaded for this command alone.
      const { publishedTools, serve, toolLines } = await import('./serve.ts');
      if (json && !list) throw usage('--json goes with --list: what mcp says is the protocol.');
      if (!list) return ended(await serve({ allowsCommands: allowCommands, folder: process.cwd() }));
      if (json) out(JSON.stringify(envelope('mcp', { tools: publishedTools() })));
      else for (const line of toolLines()) outLine(line);
      ended(EXIT.done);
    });
}
