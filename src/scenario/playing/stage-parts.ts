/** The types of the parts of a run, including the running sandbox. */

import type { Clock } from '../../base/time/clock.ts';
import type { BuiltInReceivers } from '../customer/built-in-receivers.ts';
import type { Customer } from '../customer/customer.ts';
import type { Destinations, ReceiverAddresses } from '../customer/destinations.ts';
import type { HttpClient } from '../customer/http-client.ts';
import type { HouseRules } from '../judging/house-rules.ts';
import type { SystemPort } from '../judging/system-rules.ts';
import type { CanonicalLog } from '../log/canonical-log.ts';
import type { EventsFile } from '../log/events-file.ts';
import type { RunRecord } from '../log/run-record.ts';
import type { Scenario } from '../model/scenario.ts';
import type { StageCompanies, StagePeople } from './names-on-stage.ts';
import type { Pause } from './pause.ts';
import type { PerformerPorts } from './performer.ts';
import type { Player, PlayerParts } from './player.ts';
import type { RunStage } from './ports.ts';
import type { RunOptions } from './run-options.ts';

/** The customer's own system, if the scenario names one. */
export interface SystemOnStage {
  readonly port: SystemPort;
  /** Begins the wake calls, at the beginning of the scenario. */
  wake(): void;
  /** Called when something happened: after a quiet period the wake calls resume at their interval. */
  stir(): void;
  /** Stops a system that this run started. */
  end(): Promise<void>;
}

/** The value of each part after its start. */
export interface StagePieces {
  readonly run: StageParts;
  log: CanonicalLog;
  receivers: BuiltInReceivers;
  addresses: ReceiverAddresses;
  stage: RunStage;
  people: StagePeople;
  http: HttpClient;
  /** Performs an action of the catalogue, with the control token. */
  act: PerformerPorts['act'];
  companies: StageCompanies;
  house: HouseRules;
  customerOf: (company: string | null) => Customer;
  /** The built-in receivers are connected to the sandbox and the house rules. */
  connected: true;
  record: RunRecord;
  events: EventsFile;
  /** Stops the listener of notices. */
  hearing: () => void;
  /** Stops the witness of people. */
  watching: () => void;
  destinations: Destinations;
  system: SystemOnStage | null;
  pause: Pause | null;
  player: Player;
}

/** The state of a run that outlives its sandbox. */
export interface RunState {
  player: Player | null;
  log: CanonicalLog | null;
  /** True if the scenario has ended; later activity is inspection. */
  over: boolean;
  /** The time of the end, from `monotonic()`. */
  overMs: number | null;
}

/** The values that the caller provides. */
export interface StageParts extends Pick<PlayerParts, 'seed' | 'mode' | 'speed'> {
  readonly scenario: Scenario;
  readonly clock: Clock;
  /** The start time in the log's header. */
  readonly start: string;
  readonly options: RunOptions;
  /** Rejects to abort the run. */
  readonly aborted: Promise<never>;
  readonly abort: (reason: Error) => void;
  readonly played: RunState;
}
