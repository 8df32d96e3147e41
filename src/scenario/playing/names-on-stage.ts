/** Translates between a scenario's names of people and companies and the running sandbox's ids. */

import { CUSTOMER } from '../model/own-system.ts';
import type { Scenario } from '../model/scenario.ts';
import type { RunStage } from './ports.ts';

export class StagePeople {
  readonly #ids = new Map<string, readonly string[]>();
  readonly #names = new Map<string, string>();

  constructor({ cast }: Scenario, stage: RunStage) {
    for (const [name, externalIds] of cast) {
      const ids = externalIds.map((externalId) => stage.workerId(externalId));
      this.#ids.set(name, ids);
      for (const [i, id] of ids.entries()) this.#names.set(id, ids.length === 1 ? name : (externalIds[i] as string));
    }
  }

  idsOf(name: string): readonly string[] {
    return this.#ids.get(name) ?? [];
  }

  nameOf(id: string): string | undefined {
    return this.#names.get(id);
  }
}

export class StageCompanies {
  readonly #scenario: Scenario;
  readonly #clients: RunStage['clients'];

  constructor(scenario: Scenario, { clients }: RunStage) {
    this.#scenario = scenario;
    this.#clients = clients;
  }

  /** The organization id of a receiver's company. */
  ownerOf(receiver: string): string {
    const company = this.#scenario.receivers.find(({ name }) => name === receiver)?.company ?? CUSTOMER;
    return this.#clients.find(({ organization }) => organization === company)?.organizationId ?? '';
  }

  nameOf(id: string): string {
    return this.#clients.find(({ organizationId }) => organizationId === id)?.organization ?? id;
  }
}
