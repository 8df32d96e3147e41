/** The interface to the scenarios that can be played in the sandbox, and to their runs. [decisions 9] */
import type { RunStatus } from '../../contract/enumerations.ts';
import type { TokenViewer } from '../domain/access/viewer.ts';
import type { Rejection } from '../domain/changes.ts';
import type { Client } from '../domain/world/documents.ts';

interface ListedScenario {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** True if the scenario starts commands on this machine. */
  readonly hasCommands: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly durationS: number | null;
}

/** A run of a scenario. Times are simulated ms. */
export interface RunShown {
  readonly id: string;
  readonly scenario: string;
  readonly status: RunStatus;
  readonly seed: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly stepsDone: number;
  readonly stepsTotal: number;
  readonly failures: readonly { readonly line: number; readonly text: string }[];
  /** Keys of the file that are ignored in a running sandbox. */
  readonly warnings: readonly string[];
}

/** `asking` is null for the control token. [decisions 9] */
export interface Scenarios {
  scenarios(): Promise<readonly ListedScenario[]>;
  /** Resolves when the workers of the scenario have joined. */
  start(
    name: string,
    wishes: { readonly parameters?: Readonly<Record<string, unknown>>; readonly seed?: string },
    asking: AskingClient | null,
  ): Promise<RunShown | Rejection>;
  runs(asking: AskingClient | null): readonly RunShown[];
  run(id: string, asking: AskingClient | null): RunShown | Rejection;
  /** Resolves when everything that the run created is removed. */
  cancel(id: string, asking: AskingClient | null): Promise<RunShown | Rejection>;
}

/** A client, and the view of its token. */
export interface AskingClient {
  readonly client: Client;
  readonly viewer: TokenViewer;
}
