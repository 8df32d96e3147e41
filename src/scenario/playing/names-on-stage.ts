/** The names that a story has for people and companies, and the ids under which the running sandbox knows them. */
import { CUSTOMER } from '../reading/read-world.ts';
import type { Story } from '../story/story.ts';
import type { RunStage } from './ports.ts';

/** The people of the story and the ids under which the running sandbox knows them. */
export class StagePeople {
  readonly #ids = new Map<string, readonly string[]>();
  readonly #names = new Map<string, string>();

  constructor({ cast }: Story, stage: RunStage) {
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

/** The companies of the story and the ids of their organizations. */
export class StageCompanies {
  readonly #story: Story;
  readonly #clients: RunStage['clients'];

  constructor(story: Story, { clients }: RunStage) {
    this.#story = story;
    this.#clients = clients;
  }

  /** The organization of a receiver. */
  ownerOf(receiver: string): string {
    const company = this.#story.receivers.find(({ name }) => name === receiver)?.company ?? CUSTOMER;
    return this.#clients.find(({ organization }) => organization === company)?.organizationId ?? '';
  }

  nameOf(id: string): string {
    return this.#clients.find(({ organizationId }) => organizationId === id)?.organization ?? id;
  }
}
