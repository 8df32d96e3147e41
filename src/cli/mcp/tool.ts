/** The parts of a tool of `sandbox mcp`: its name, its schema, and its function. [cli, mcp] */
import type { Static, TObject } from 'typebox';
import { isInternalKeyword, plainWords } from '../../service/api/openapi/schemas.ts';
import type { SandboxInHand } from './sandbox-in-hand.ts';

/** What every tool can use. */
export interface ToolContext {
  readonly sandbox: SandboxInHand;
  /** True with `mcp --allow-commands`: files may then start commands. */
  readonly allowsCommands: boolean;
  /** The folder whose files the tools read and write. */
  readonly folder: string;
  /** Aborted when the client disconnects or cancels the call. */
  readonly signal: AbortSignal;
}

/** The answer of a tool: facts, and what to do next. */
export interface ToolAnswer {
  readonly [fact: string]: unknown;
  readonly next?: string;
}

/** One row of `tools/list`. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: TObject;
  /** True if the tool changes nothing. */
  readonly readsOnly: boolean;
  readonly run: (input: never, context: ToolContext) => Promise<ToolAnswer> | ToolAnswer;
}

/** A schema for other programs: without the internal keywords, and without citations in its texts. */
export const publishedSchema = (schema: unknown): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(schema, (key, value) => {
      // A property may have the name of a keyword.
      if (typeof value !== 'object' && isInternalKeyword(key, value)) return undefined;
      if (key.startsWith('x-')) return undefined;
      return key === 'description' ? (plainWords(value) ?? value) : value;
    }),
  );

/** The given keys of a row. */
export const pick = (row: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(keys.map((key) => [key, row[key]]));

/** Makes a tool whose function gets the input with the type of its schema. */
export const tool = <S extends TObject>(
  row: Omit<McpTool, 'input' | 'run'> & {
    readonly input: S;
    readonly run: (input: Static<S>, context: ToolContext) => Promise<ToolAnswer> | ToolAnswer;
  },
): McpTool => row as unknown as McpTool;
