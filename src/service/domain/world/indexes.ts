/** Indexes of documents. The world updates them in its only write method, also when a transaction is rolled back. */
import { SortedIndex, timeKey } from '../../../base/sorted-index.ts';
import type {
  Alert,
  CourseStretch,
  Delivery,
  Device,
  Documents,
  Expected,
  Kind,
  Muster,
  Permit,
  Stay,
  Vehicle,
  Warning,
  Worker,
  Zone,
} from './documents.ts';

/** Shared by all empty groups, so that reading creates none. */
const EMPTY: SortedIndex<never> = new SortedIndex<never>();

class Groups<T> {
  readonly #groups = new Map<string, SortedIndex<T>>();

  of(group: string): SortedIndex<T> {
    return this.#groups.get(group) ?? (EMPTY as SortedIndex<T>);
  }

  #made(group: string): SortedIndex<T> {
    let found = this.#groups.get(group);
    if (found === undefined) {
      found = new SortedIndex<T>();
      this.#groups.set(group, found);
    }
    return found;
  }

  move(before: { group: string; key: string } | null, after: { group: string; key: string; value: T } | null): void {
    if (before !== null && (after === null || before.group !== after.group || before.key !== after.key))
      this.of(before.group).delete(before.key);
    if (after !== null) this.#made(after.group).set(after.key, after.value);
  }

  keys(): IterableIterator<string> {
    return this.#groups.keys();
  }

  values(): IterableIterator<SortedIndex<T>> {
    return this.#groups.values();
  }
}

const NO_PEOPLE: ReadonlyMap<string, Expected> = new Map();

const isOpen = (alert: Alert | undefined): alert is Alert => alert !== undefined && alert.status !== 'resolved';

export class Indexes {
  /** Alerts of an organization that are in memory, the oldest first. `alertsOf` also finds the others. */
  readonly alerts = new Groups<Alert>();
  /** The resolved alerts in `alerts`, the oldest first. */
  readonly resolvedAlerts = new Groups<Alert>();
  /** Open alerts of a worker, oldest first. */
  readonly openAlertsOfWorker = new Groups<Alert>();
  readonly zonesOfSite = new Groups<Zone>();
  readonly workersOfOrganization = new Groups<Worker>();
  readonly workersOfSite = new Groups<Worker>();
  readonly devicesOfOrganization = new Groups<Device>();
  readonly devicesOfSite = new Groups<Device>();
  readonly waitingOfDestination = new Groups<Delivery>();
  readonly vehiclesOfSite = new Groups<Vehicle>();
  readonly permitsOfWorker = new Groups<Permit>();
  readonly staysOfDevice = new Groups<Stay>();
  /** Vehicle notices of a watch, the oldest first. */
  readonly warningsOfDevice = new Groups<Warning>();
  /** Musters of an organization, oldest first. */
  readonly musters = new Groups<Muster>();
  /** Open calls of the people of a site who cannot evacuate. */
  readonly openHelpOfSite = new Groups<Alert>();
  /** The stretches of a muster's course, in their order. */
  readonly courseOfMuster = new Groups<CourseStretch>();
  /** Increases with every write of a token or a client: what depends on the known secrets is valid until then. */
  secretsVersion = 0;
  readonly #activeMuster = new Map<string, Muster>();
  readonly #expected = new Map<string, Map<string, Expected>>();
  readonly #openBySubject = new Map<string, string>();
  readonly #deviceBySerial = new Map<string, string>();

  openAlertId(subject: string): string | undefined {
    return this.#openBySubject.get(subject);
  }

  deviceId(serial: string): string | undefined {
    return this.#deviceBySerial.get(serial);
  }

  /** A site has at most one active muster. [decisions 6] */
  activeMuster(siteId: string): Muster | undefined {
    return this.#activeMuster.get(siteId);
  }

  activeMusters(): IterableIterator<Muster> {
    return this.#activeMuster.values();
  }

  /** The people whom a muster expects, by worker. */
  expectedIn(musterId: string): ReadonlyMap<string, Expected> {
    return this.#expected.get(musterId) ?? NO_PEOPLE;
  }

  update<K extends Kind>(kind: K, before: Documents[K] | undefined, after: Documents[K] | undefined): void {
    switch (kind) {
      case 'alert':
        return this.#alert(before as Alert | undefined, after as Alert | undefined);
      case 'zone':
        return move(this.zonesOfSite, before as Zone | undefined, after as Zone | undefined, (zone) => [
          zone.siteId,
          `${zone.name}/${zone.id}`,
        ]);
      case 'worker': {
        const [was, is] = [before as Worker | undefined, after as Worker | undefined];
        move(this.workersOfOrganization, was, is, (worker) => [worker.organizationId, worker.id]);
        return move(this.workersOfSite, was, is, (worker) => [worker.siteId, worker.id]);
      }
      case 'device': {
        const [was, is] = [before as Device | undefined, after as Device | undefined];
        if (was !== undefined) this.#deviceBySerial.delete(was.serial);
        if (is !== undefined) this.#deviceBySerial.set(is.serial, is.id);
        move(this.devicesOfOrganization, was, is, (device) => [device.organizationId, device.id]);
        return move(this.devicesOfSite, was, is, (device) => [device.siteId, device.id]);
      }
      case 'delivery': {
        const waiting = (delivery: Delivery | undefined) => (delivery?.state === 'waiting' ? delivery : undefined);
        return move(
          this.waitingOfDestination,
          waiting(before as Delivery | undefined),
          waiting(after as Delivery | undefined),
          (delivery) => [delivery.destinationId, `${delivery.priority}/${timeKey(delivery.eventAt, delivery.id)}`],
        );
      }
      case 'vehicle':
        return move(this.vehiclesOfSite, before as Vehicle | undefined, after as Vehicle | undefined, (vehicle) => [
          vehicle.siteId,
          vehicle.id,
        ]);
      case 'permit':
        return move(this.permitsOfWorker, before as Permit | undefined, after as Permit | undefined, (permit) => [
          permit.workerId,
          permit.id,
        ]);
      case 'stay':
        return move(this.staysOfDevice, before as Stay | undefined, after as Stay | undefined, (stay) => [
          stay.deviceId,
          stay.zoneId,
        ]);
      case 'warning':
        return move(this.warningsOfDevice, before as Warning | undefined, after as Warning | undefined, (warning) => [
          warning.deviceId,
          timeKey(warning.at, warning.id),
        ]);
      case 'muster':
        return this.#muster(before as Muster | undefined, after as Muster | undefined);
      case 'expected':
        return this.#person(before as Expected | undefined, after as Expected | undefined);
      case 'course':
        return move(
          this.courseOfMuster,
          before as CourseStretch | undefined,
          after as CourseStretch | undefined,
          (one) => [one.musterId, one.id],
        );
      case 'token':
      case 'client':
        this.secretsVersion += 1;
        return;
      default:
        return;
    }
  }

  #muster(before: Muster | undefined, after: Muster | undefined): void {
    move(this.musters, before, after, (muster) => [muster.organizationId, timeKey(muster.startedAt, muster.id)]);
    if (before?.status === 'active') this.#activeMuster.delete(before.site.id);
    if (after?.status === 'active') this.#activeMuster.set(after.site.id, after);
  }

  #person(before: Expected | undefined, after: Expected | undefined): void {
    if (after === undefined) {
      const people = before === undefined ? undefined : this.#expected.get(before.musterId);
      people?.delete(before?.workerId ?? '');
      if (people?.size === 0) this.#expected.delete(before?.musterId ?? '');
      return;
    }
    let people = this.#expected.get(after.musterId);
    if (people === undefined) {
      people = new Map();
      this.#expected.set(after.musterId, people);
    }
    people.set(after.workerId, after);
  }

  #alert(before: Alert | undefined, after: Alert | undefined): void {
    move(this.alerts, before, after, (alert) => [alert.organizationId, timeKey(alert.createdAt, alert.id)]);
    const resolved = (alert: Alert | undefined) => (isOpen(alert) ? undefined : alert);
    move(this.resolvedAlerts, resolved(before), resolved(after), (alert) => [
      alert.organizationId,
      timeKey(alert.createdAt, alert.id),
    ]);
    const ofWorker = (alert: Alert | undefined) => (isOpen(alert) && alert.worker !== null ? alert : undefined);
    move(this.openAlertsOfWorker, ofWorker(before), ofWorker(after), (alert) => [
      alert.worker?.id ?? '',
      timeKey(alert.createdAt, alert.id),
    ]);
    const ofHelp = (alert: Alert | undefined) => (alert?.type === 'evacuation_help' ? ofWorker(alert) : undefined);
    move(this.openHelpOfSite, ofHelp(before), ofHelp(after), (alert) => [
      alert.site.id,
      timeKey(alert.createdAt, alert.id),
    ]);
    if (isOpen(before)) this.#openBySubject.delete(before.subject);
    if (isOpen(after)) this.#openBySubject.set(after.subject, after.id);
  }
}

function move<T>(
  groups: Groups<T>,
  before: T | undefined,
  after: T | undefined,
  place: (value: T) => [group: string, key: string],
): void {
  const from = before === undefined ? null : place(before);
  const to = after === undefined ? null : place(after);
  groups.move(
    from === null ? null : { group: from[0], key: from[1] },
    to === null ? null : { group: to[0], key: to[1], value: after as T },
  );
}
