/** Dependencies of the API: engine, store, and the ports that the composition root provides. */
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../base/clock.ts';
import type { ActionAnswer, ActionAnswers, ActionBody } from '../contract/actions.ts';
import type { Assumptions } from '../contract/gaps.ts';
import type { AlertUpdate } from '../contract/requests.ts';
import type { TokenViewer } from '../domain/access/viewer.ts';
import type { Rejection } from '../domain/rejection.ts';
import type { Client } from '../domain/world/documents.ts';
import type { DeliveryLedger } from '../engine/delivery-totals.ts';
import type { Engine } from '../engine/engine.ts';
import type { EventLog } from '../engine/event-log.ts';
import type { Store } from '../engine/store-port.ts';
import type { WatchLog } from '../engine/watch-log.ts';
import type { ApiFaults } from './faults.ts';

/** 200 when the actor has acted, 202 when a watch out of coverage sends it later. [decisions 9] */
export type ActionOutcome = { readonly status: 200 | 202; readonly answer: ActionAnswer | ActionAnswers } | Rejection;

export interface SentMail {
  readonly id: string;
  readonly at: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** A checked body of a wait. [decisions 9] */
export interface AskedWait {
  readonly event?: string;
  readonly alert?: string;
  readonly muster?: string;
  readonly request?: string;
  readonly delivery?: string;
  readonly match?: Readonly<Record<string, unknown>>;
  readonly within?: string;
  readonly since?: string;
}

/** Times are simulated ms. */
export interface FoundByWait {
  readonly kind: string;
  readonly id: string;
  readonly at: number;
  readonly waitedMs: number;
  readonly ids: readonly string[];
  readonly found: unknown;
}

export interface ListedScenario {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly durationS: number | null;
}

/** A run of a story. Times are simulated ms. */
export interface RunShown {
  readonly id: string;
  readonly scenario: string;
  readonly status: 'running' | 'passed' | 'failed' | 'cancelled';
  readonly seed: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly stepsDone: number;
  readonly stepsTotal: number;
  readonly failures: readonly { readonly line: number; readonly text: string }[];
  readonly warnings: readonly string[];
}

/** `asking` null: the control token. [decisions 9] */
export interface Stories {
  scenarios(): Promise<readonly ListedScenario[]>;
  /** Resolves when the people of the story are there. */
  start(
    name: string,
    wishes: { readonly parameters?: Readonly<Record<string, unknown>>; readonly seed?: string },
    asking: AskingClient | null,
  ): Promise<RunShown | Rejection>;
  runs(asking: AskingClient | null): readonly RunShown[];
  run(id: string, asking: AskingClient | null): RunShown | Rejection;
  /** Resolves when the run has been removed. */
  cancel(id: string, asking: AskingClient | null): Promise<RunShown | Rejection>;
}

/** A client, and the view of its token. */
export interface AskingClient {
  readonly client: Client;
  readonly viewer: TokenViewer;
}

/** A recording as a draft of a scenario. */
export interface RecordedSession {
  readonly id: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly scenario: string;
  readonly steps: number;
  readonly expectations: number;
  readonly remarks: readonly string[];
}

/** Records what happens as the caller may see it; `viewer` null: the control token. */
export interface Recordings {
  begin(viewer: TokenViewer | null): { readonly id: string; readonly startedAt: number };
  end(id: string, viewer: TokenViewer | null): RecordedSession | Rejection;
}

/** True position of the wearer of an emulated watch. */
export interface PersonTruth {
  readonly workerId: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Metres above the ground, where there are floors. */
  readonly heightM: number | null;
  readonly floor: string | null;
  /** The smallest zone that holds the person. */
  readonly zone: string | null;
  readonly inVehicle: boolean;
  /** Null: no wrist sensor. */
  readonly worn: boolean | null;
  readonly activity: string;
}

export interface ApiParts {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
  /** Flushes write-behind: simulated time set by a caller must survive a kill. */
  readonly settle?: () => Promise<void>;
  /** The public base address without a trailing slash; never taken from a Host header. [decisions 10] */
  readonly baseUrl: () => string;
  /** `mqtt://host:port` of the watches' broker. */
  readonly mqttUrl: () => string;
  readonly controlToken: string;
  /** Signs cursors. */
  readonly cursorKey: string;
  /** Null: public, or unresolvable now; else the objection. [decisions 7] */
  readonly judgeDestination: (url: string) => Promise<string | null>;
  /** `viewer` null: the control token. */
  readonly act: (body: ActionBody, viewer: TokenViewer | null) => Promise<ActionOutcome>;
  /** Resolves when found; rejects with `request_timeout` after its time, or when the signal says that the caller has left. */
  readonly wait: (asked: AskedWait, viewer: TokenViewer | null, gone: AbortSignal) => Promise<FoundByWait | Rejection>;
  readonly stories: Stories;
  readonly recordings: Recordings;
  /** Marks the beginning of a client's update; call the returned function with its outcome. */
  readonly updating: (alertId: string, update: AlertUpdate, viewer: TokenViewer) => (accepted: boolean) => void;
  /** Newest first. [spec 6.6] */
  readonly mail: (limit: number, organizationId?: string) => readonly SentMail[];
  readonly watchLog: WatchLog;
  readonly eventLog: EventLog;
  readonly deliveries: DeliveryLedger;
  /** Ground truth of all emulated watches' wearers; empty without a fleet. For the control token only. [decisions 4] */
  readonly truth: () => readonly PersonTruth[];
  readonly faults: ApiFaults;
  readonly newSecret: () => string;
  /** Of the session destinations of a company. */
  readonly sessionSecret: (organizationId: string) => string;
  /** True for names of this machine, or of `--public-url`. [decisions 10] */
  readonly isOwnHost: (host: string | undefined) => boolean;
  /** Secrets follow from a seed, so other names are refused. */
  readonly ownHostOnly: boolean;
  readonly assumptions: Assumptions;
  /** Pages beside the API, such as the panel. */
  readonly pages: readonly ((app: FastifyInstance) => void)[];
}
