/** The event of `POST /v1/webhooks/{id}/test`: an SOS that no GET returns. [spec 4 Test, decisions 7] */
import { formatInstant } from '../../../base/time/instants.ts';
import { API_VERSION } from '../../../contract/enumerations.ts';
import type { AlertEvent } from '../../../contract/events.ts';
import { ALERT_KINDS } from '../../../contract/resources/alert-kinds.ts';
import { clientOf, viewerOf } from '../access/viewer.ts';
import { OF_NOBODY, UNTOUCHED } from '../alerts/raise.ts';
import type { Stamp } from '../changes.ts';
import { type Addresses, alertView } from '../views/alert.ts';
import type { World } from '../world/world.ts';

export function testAlert(
  world: World,
  organizationId: string,
  nonce: string,
  stamp: Stamp,
  addresses: Addresses,
): { event: AlertEvent; siteId: string } {
  const sites = [...world.all('site')].filter((site) => site.organizationId === organizationId);
  sites.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1));
  const site = sites[0];
  if (site === undefined) throw new Error(`company ${organizationId} has no site`);
  const alert = alertView(
    {
      id: stamp.id('test-alert', nonce),
      organizationId,
      type: 'sos',
      severity: ALERT_KINDS.sos.severity,
      ...UNTOUCHED,
      ...OF_NOBODY,
      createdAt: stamp.now,
      modifiedAt: stamp.now,
      site: { id: site.id, name: site.name },
      details: { trigger: 'control_room' },
      subject: 'test',
      timeline: [],
    },
    viewerOf(clientOf(world, organizationId)),
    addresses,
  );
  return {
    siteId: site.id,
    event: {
      id: stamp.id('test-event', nonce),
      type: 'alert.created',
      api_version: API_VERSION,
      created_at: formatInstant(stamp.now),
      organization_id: null,
      site_id: site.id,
      data: { alert },
    },
  };
}
