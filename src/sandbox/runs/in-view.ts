/** Which notices a viewer may see, and in which form. Objects of another company do not exist for a client. [decisions 4, 9] */
import { formatInstant } from '../../base/time/instants.ts';
import type { Scope } from '../../contract/enumerations.ts';
import { audienceOf, type CompanyNotice, isOfCompany, NOTICE_AUDIENCES } from '../../contract/notice-audiences.ts';
import type { Notice } from '../../contract/notices.ts';
import {
  clientOf,
  mayRead,
  scopeOfEvent,
  seesAlert,
  seesContractor,
  type TokenViewer,
  viewerOf,
} from '../../service/domain/access/viewer.ts';
import { type Addresses, alertView } from '../../service/domain/views/alert.ts';
import { destinationView } from '../../service/domain/views/destination.ts';
import { musterView } from '../../service/domain/views/muster.ts';
import type { World } from '../../service/domain/world/world.ts';

/**
 * Converts notices into the form that one viewer may see. `viewer` null: the control token, which sees all companies.
 */
export class InView {
  readonly #world: World;
  readonly #viewer: TokenViewer | null;
  readonly #addresses: Addresses;
  /** Destinations of the viewer's company, also deleted ones. */
  readonly #destinations = new Set<string>();

  constructor(world: World, viewer: TokenViewer | null, addresses: Addresses) {
    this.#world = world;
    this.#viewer = viewer;
    this.#addresses = addresses;
  }

  /** The present state, as notices of changes that have just happened. */
  *present(): Generator<Notice> {
    for (const destination of this.#world.all('destination')) {
      const { id, organizationId: organization_id, createdAt } = destination;
      if (!this.#owns(organization_id) || !this.#may(NOTICE_AUDIENCES['destination-changed'].scope)) continue;
      this.#destinations.add(id);
      const at = formatInstant(createdAt);
      yield { kind: 'destination-changed', at, organization_id, destination: destinationView(destination) };
    }
    for (const alert of this.#may(NOTICE_AUDIENCES['alert-changed'].scope) ? this.#world.all('alert') : []) {
      const { organizationId: organization_id, modifiedAt } = alert;
      const viewer = this.#viewer ?? viewerOf(clientOf(this.#world, organization_id));
      if (!seesAlert(this.#viewer ?? { ...viewer, contractors: null }, alert)) continue;
      const view = alertView(alert, this.#viewer ?? { ...viewer, contractors: null }, this.#addresses);
      yield { kind: 'alert-changed', at: formatInstant(modifiedAt), organization_id, alert: view };
    }
    for (const muster of this.#world.all('muster')) {
      const { organizationId: organization_id, startedAt } = muster;
      if (!this.#owns(organization_id) || !this.#may(NOTICE_AUDIENCES['muster-changed'].scope)) continue;
      yield { kind: 'muster-changed', at: formatInstant(startedAt), organization_id, muster: musterView(muster) };
    }
  }

  /** Returns null for notices that the viewer may not see, and for those that no wait concerns. */
  of(notice: Notice): Notice | null {
    if (!isOfCompany(notice)) return audienceOf(notice).of === 'everybody' ? notice : null;
    if (!this.#may(scopeOfNotice(notice))) return null;
    switch (notice.kind) {
      case 'alert-changed':
        return this.#alert(notice);
      case 'event-occurred':
        return this.#event(notice) ? notice : null;
      case 'destination-changed':
        if (!this.#owns(notice.organization_id)) return null;
        this.#destinations.add(notice.destination.id);
        return notice;
      case 'destination-deleted':
      case 'delivery-attempted':
        return this.#viewer === null || this.#destinations.has(notice.destination_id) ? notice : null;
      case 'muster-changed':
      case 'mail-sent':
      case 'request-answered':
        return this.#owns(notice.organization_id) ? notice : null;
    }
  }

  #may(scope: Scope | null): boolean {
    return scope === null || mayRead(this.#viewer, scope);
  }

  #owns(organizationId: string): boolean {
    return this.#viewer === null || this.#viewer.organizationId === organizationId;
  }

  /** The notice contains the unscoped view. A scoped viewer sees fewer alerts, and fewer people near them. */
  #alert(notice: Extract<Notice, { kind: 'alert-changed' }>): Notice | null {
    const viewer = this.#viewer;
    if (!this.#owns(notice.organization_id)) return null;
    if (viewer === null || viewer.contractors === null) return notice;
    const alert = this.#world.known('alert', notice.alert.id);
    if (alert === undefined || !seesAlert(viewer, alert)) return null;
    return { ...notice, alert: alertView(alert, viewer, this.#addresses) };
  }

  /** The event is already rendered for its company's client. A test event belongs to no company. */
  #event({ event }: Extract<Notice, { kind: 'event-occurred' }>): boolean {
    const viewer = this.#viewer;
    if (viewer === null) return true;
    if (event.organization_id !== viewer.organizationId) return false;
    const { worker } = 'alert' in event.data ? event.data.alert : { worker: null };
    return worker === null || seesContractor(viewer, worker.contractor);
  }
}

/** Returns the scope that a token needs to see the notice; null if none is needed. */
function scopeOfNotice(notice: CompanyNotice): Scope | null {
  if (notice.kind === 'event-occurred') return scopeOfEvent(notice.event.type);
  return NOTICE_AUDIENCES[notice.kind].scope;
}
