/** What the API is made of: the engine it asks, the store it reads logs from, and the ports that the composition root hands in. */
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

/** How an action ended: 200 when the actor has acted, 202 when a watch out of coverage keeps it for later. [decisions 9] */
export type ActionOutcome = { readonly status: 200 | 202; readonly answer: ActionAnswer | ActionAnswers } | Rejection;

/** An e-mail to a technical contact. [spec 6.6] */
export interface SentMail {
  readonly id: string;
  readonly at: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** The body of a wait, its form already checked. [decisions 9] */
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

/** What a wait found; times are simulated ms. */
export interface FoundByWait {
  readonly kind: string;
  readonly id: string;
  readonly at: number;
  readonly waitedMs: number;
  readonly ids: readonly string[];
  readonly found: unknown;
}

/** A story that can be played, as a list tells it. */
export interface ListedScenario {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly durationS: number | null;
}

/** A story that plays, or has played. Times are simulated ms. */
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

/** Stories in the running sandbox; `asking` null: the control token. [decisions 9] */
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
  /** Resolves when the run has left the sandbox. */
  cancel(id: string, asking: AskingClient | null): Promise<RunShown | Rejection>;
}

/** A client, and what the token that it came with shows. */
export interface AskingClient {
  readonly client: Client;
  readonly viewer: TokenViewer;
}

/** A session that was taken down, as a draft of a scenario. */
export interface RecordedSession {
  readonly id: string;
  readonly startedAt: number;
  readonly endedAt: number;
  /** The text of the file. */
  readonly scenario: string;
  readonly steps: number;
  readonly expectations: number;
  readonly remarks: readonly string[];
}

/** Takes down what is done in the sandbox, as the one who asks may see it; `viewer` null: the control token. */
export interface Recordings {
  begin(viewer: TokenViewer | null): { readonly id: string; readonly startedAt: number };
  end(id: string, viewer: TokenViewer | null): RecordedSession | Rejection;
}

/** Where an emulated watch's wearer truly is, whatever was reported. */
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
  /** Null: the watch cannot tell. */
  readonly worn: boolean | null;
  readonly activity: string;
}

export interface ApiParts {
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
  /** Writes what is otherwise written behind: time that was turned on purpose does not go back at a kill. */
  readonly settle?: () => Promise<void>;
  /** The base address as the outside knows it, without a slash at its end; never taken from a Host header. [decisions 10] */
  readonly baseUrl: () => string;
  /** `mqtt://host:port` of the broker that watches meet. */
  readonly mqttUrl: () => string;
  readonly controlToken: string;
  /** Signs cursors. */
  readonly cursorKey: string;
  /** Null where the name is public or does not resolve now; else what is wrong with it. [decisions 7] */
  readonly judgeDestination: (url: string) => Promise<string | null>;
  /** `viewer` null: the control token asks. */
  readonly act: (body: ActionBody, viewer: TokenViewer | null) => Promise<ActionOutcome>;
  /** Resolves when it is so; rejected with `request_timeout` when its time is over, or the signal says that nobody waits any more. */
  readonly wait: (asked: AskedWait, viewer: TokenViewer | null, gone: AbortSignal) => Promise<FoundByWait | Rejection>;
  readonly stories: Stories;
  readonly recordings: Recordings;
  /** A client's update of an alert begins; what it answers is told whether it was accepted. */
  readonly updating: (alertId: string, update: AlertUpdate, viewer: TokenViewer) => (accepted: boolean) => void;
  /** E-mails that were sent, the newest first. [spec 6.6] */
  readonly mail: (limit: number, organizationId?: string) => readonly SentMail[];
  /** What watches did at the broker lately. */
  readonly watchLog: WatchLog;
  /** The newest events of all companies. */
  readonly eventLog: EventLog;
  /** Totals of deliveries by destination. */
  readonly deliveries: DeliveryLedger;
  /** Ground truth of everybody with an emulated watch; empty without a fleet. For the control token only. [decisions 4] */
  readonly truth: () => readonly PersonTruth[];
  /** Outages that are rehearsed. */
  readonly faults: ApiFaults;
  readonly newSecret: () => string;
  /** Whether a Host header is a name of this machine, or of `--public-url`. [decisions 10] */
  readonly isOwnHost: (host: string | undefined) => boolean;
  /** Secrets can be guessed, so other names are refused. */
  readonly ownHostOnly: boolean;
  readonly assumptions: Assumptions;
  /** Pages that stand beside the API, such as the panel. */
  readonly pages: readonly ((app: FastifyInstance) => void)[];
}
