/** Tracks the status of each person: in the muster of the site, else by open alerts. */
import type { Alert, MissingWorker, Muster } from '../../../contract/resources.ts';
import { type PersonStatus, statusOfMissing, type TimedStatus } from './person-status.ts';

export class PeopleStatuses {
  readonly statuses = new Map<string, TimedStatus[]>();
  /** Of active musters: everybody who was ever missing, with current status. */
  readonly #musters = new Map<string, Map<string, PersonStatus>>();
  readonly #openAlerts = new Map<string, Set<string>>();

  /** From the beginning; people without an entry are calm. */
  of(workerId: string): readonly TimedStatus[] {
    const statuses = this.statuses.get(workerId) ?? [];
    return statuses[0]?.t === 0 ? statuses : [{ t: 0, status: 'calm' }, ...statuses];
  }

  muster({ id, status }: Muster, missing: readonly MissingWorker[], t: number): void {
    const people = this.#musters.get(id) ?? new Map<string, PersonStatus>();
    this.#musters.set(id, people);
    const known = [...people.keys()];
    if (status !== 'active') this.#musters.delete(id);
    // Leaving the missing list means arrived or marked safe.
    for (const workerId of known) people.set(workerId, 'safe');
    for (const one of missing) people.set(one.worker.id, statusOfMissing(one));
    for (const workerId of new Set([...known, ...people.keys()])) this.#tell(workerId, t);
  }

  alert({ id, status, worker }: Alert, t: number): void {
    if (worker === null) return;
    const open = this.#openAlerts.get(worker.id) ?? new Set<string>();
    this.#openAlerts.set(worker.id, open);
    if (status === 'resolved') open.delete(id);
    else open.add(id);
    this.#tell(worker.id, t);
  }

  #tell(workerId: string, t: number): void {
    const statuses = this.statuses.get(workerId) ?? [];
    this.statuses.set(workerId, statuses);
    const status = this.#now(workerId);
    const last = statuses.at(-1);
    if (last?.status === status) return;
    // At one instant the last change wins.
    if (last?.t === t) statuses.pop();
    statuses.push({ t, status });
  }

  #now(workerId: string): PersonStatus {
    for (const people of this.#musters.values()) {
      const status = people.get(workerId);
      if (status !== undefined) return status;
    }
    return (this.#openAlerts.get(workerId)?.size ?? 0) > 0 ? 'alert' : 'calm';
  }
}
