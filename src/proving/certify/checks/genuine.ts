/**
 * Checks that the receiver accepts all that the service may send: every event and alert type, nulls, other alphabets, large bodies, new
 * fields. [spec 2, 6, 9]
 */

import { randomId } from '../../../base/ids.ts';
import { CLI } from '../../../base/text/command-form.ts';
import { ALERT_TYPES, EVENT_TYPES } from '../../../contract/enumerations.ts';
import type { Event } from '../../../contract/events.ts';
import { advice, failed, passed, RETRIES, type ReceiverCheck } from '../check.ts';
import type { DeliveryMaker } from '../deliveries.ts';
import { diagnose } from '../diagnose.ts';
import { closedMuster } from '../events.ts';
import { isAccepted, replyText } from '../send.ts';
import { acceptedFinding, accepts } from './row.ts';

/** Wall milliseconds that the first delivery may take, so that a slow answer is not mistaken for a refusal. */
const PATIENT_MS = 15_000;

const group = 'genuine';

/** The same JSON as bytes that no library writes: spaces, escapes, and a number with a final zero. */
function otherBytes(event: Event): string {
  return JSON.stringify(event, null, 1)
    .replace(/\n\s*/g, ' ')
    .replaceAll('/', '\\/')
    .replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace('"uncertainty_m": 4.5', '"uncertainty_m": 4.50');
}

const nearbyMany = (make: DeliveryMaker, count: number) => {
  const alert = make.alert();
  const worker = { ...alert.worker!, id: randomId() };
  return {
    ...alert,
    nearby: Array.from({ length: count }, (_, place) => ({
      kind: 'person' as const,
      worker: { ...worker, external_id: `W-${place}` },
      vehicle_type: null,
      distance_m: place % 100,
      reported_at: alert.date_created,
    })),
  };
};

export const GENUINE_CHECKS: readonly ReceiverCheck[] = [
  {
    number: 1,
    group,
    title: 'A signed delivery is answered 2xx',
    clause: '4 Receiver contract, 6.4',
    needs: [],
    judge: async (bench) => {
      const exchange = await bench.send(bench.make.sos('a new SOS, signed with the secret'), PATIENT_MS);
      if (isAccepted(exchange)) return passed(exchange.delivery.what, replyText(exchange), [exchange]);
      const { status } = exchange;
      if (status === null || status < 400 || status >= 500) return acceptedFinding([exchange], NOT_2XX_FIX);
      const found = await diagnose(bench);
      return failed(exchange.delivery.what, replyText(exchange), {
        production: RETRIES,
        fix: found === null ? REFUSED_FIX : `Your receiver ${found.says}. ${found.fix}`,
        exchanges: [exchange, ...(found === null ? [] : [found.exchange])],
      });
    },
  },
  {
    number: 2,
    group,
    title: 'The answer comes within 5 s',
    clause: '6.4, 8',
    needs: [],
    judge: async (bench) => {
      const exchange = await bench.send(bench.make.sos('a new SOS'), PATIENT_MS);
      const [sent, got] = [exchange.delivery.what, replyText(exchange)];
      if (exchange.note !== null)
        return advice(
          sent,
          got,
          'The delivery counts. But end the reply: an open reply keeps the connection for 5 s.',
          [exchange],
        );
      if (exchange.tookMs < bench.answerLimitMs) return passed(sent, got, [exchange]);
      return failed(sent, got, {
        production: `Production hangs up after 5 s and does not see the answer. ${RETRIES}`,
        fix: 'Verify, store the event, answer, and process it afterwards in a queue or a background task. Each retry is the same event, so deduplicate by its id.',
        exchanges: [exchange],
      });
    },
  },
  accepts({
    number: 3,
    group,
    title: 'Every event type is accepted',
    clause: '6',
    fix: 'A destination that subscribes to alert.* and muster.* gets all twelve. Answer 2xx to the types that you do not use.',
    sends: EVENT_TYPES.map(
      (type) => (make) =>
        make.of(
          type,
          make.event(
            type.startsWith('alert.')
              ? { alert: make.alert(type === 'alert.resolved' ? { status: 'resolved' } : {}) }
              : { muster: type === 'muster.ended' ? closedMuster(make.muster()) : make.muster() },
            { type },
          ),
        ),
    ),
  }),
  accepts({
    number: 4,
    group,
    title: 'Every alert type is accepted, with its details',
    clause: '2 AlertType, AlertDetails',
    fix: 'Choose the variant of details by the type of the alert. earthquake and tsunami_risk have no worker, device, zone and location.',
    sends: ALERT_TYPES.map((type) => (make) => make.of(type, make.event({ alert: make.alert({ type }) }))),
  }),
  accepts({
    number: 5,
    group,
    title: 'A test event is accepted: organization_id is null',
    clause: '4 Test, 2 Event',
    fix: 'organization_id is null in test events, and so are zone, worker, device and location: do not require them, and do not look a company up by it.',
    sends: [
      (make) =>
        make.of(
          'an alert.created of POST /v1/webhooks/{id}/test',
          make.event(
            {
              alert: make.alert({
                zone: null,
                worker: null,
                device: null,
                location: null,
                title: `SOS at ${make.site.name}`,
              }),
            },
            { organization_id: null },
          ),
        ),
    ],
  }),
  accepts({
    number: 6,
    group,
    title: 'An alert without a zone is accepted',
    clause: '2 Alert zone',
    fix: 'zone is null outside of all zones and where the position is withheld: check it before reading its name.',
    sends: [(make) => make.of('zone: null', make.event({ alert: make.alert({ zone: null, title: 'SOS: Ana Ruiz' }) }))],
  }),
  accepts({
    number: 7,
    group,
    title: 'A withheld location is accepted',
    clause: '2 Alert location_withheld',
    fix: 'location is null with location_withheld true on on-demand sites: show that there is one which you may not see.',
    sends: [
      (make) => {
        // An alert about a zone keeps its zone under the veil, so a missing zone cannot be the cause of a failure here.
        // [decisions 4]
        const alert = make.alert({ type: 'restricted_zone_entry', location: null, location_withheld: true });
        return make.of('location: null, location_withheld: true', make.event({ alert }));
      },
    ],
  }),
  accepts({
    number: 8,
    group,
    title: 'A worker without a name is accepted',
    clause: '2 WorkerRef',
    fix: 'The key name is absent unless your contract includes names: fall back to external_id, and to the id where that is null.',
    sends: [
      (make) => {
        const { name: _, ...worker } = make.alert().worker!;
        return make.of(
          'worker without the key name',
          make.event({ alert: make.alert({ worker, title: 'SOS: W-014 in Tank Farm' }) }),
        );
      },
      (make) => {
        const worker = { id: randomId(), external_id: null, contractor: null };
        return make.of('worker with external_id and contractor null', make.event({ alert: make.alert({ worker }) }));
      },
    ],
  }),
  accepts({
    number: 9,
    group,
    title: 'Nulls inside of objects are accepted',
    clause: '2 Location, DeviceRef, Nearby, Muster',
    fix: 'Each field of the specification that says "or null" is null at times: uncertainty_m, battery, date_last_seen, nearby[].worker.id, the totals of a closed muster, deadline, origin, reason.',
    sends: [
      (make) => {
        const alert = make.alert();
        const location = { ...alert.location!, uncertainty_m: null, source: 'zone' as const, masked: true };
        const device = { ...alert.device!, battery: null, date_last_seen: null };
        return make.of(
          'location.uncertainty_m, device.battery and date_last_seen null',
          make.event({ alert: { ...alert, location, device } }),
        );
      },
      (make) => {
        const alert = nearbyMany(make, 1);
        const nearby = alert.nearby.map((one) => ({ ...one, worker: { ...one.worker, id: null } }));
        return make.of('nearby[0].worker.id null', make.event({ alert: { ...alert, nearby } }));
      },
      (make) => {
        const muster = closedMuster(make.muster({ reason: null }));
        return make.of('a closed muster, its other totals null', make.event({ muster }, { type: 'muster.ended' }));
      },
    ],
  }),
  accepts({
    number: 10,
    group,
    title: 'Names in any alphabet are accepted',
    clause: '5 raw body',
    fix: 'Verify the received bytes, and decode them as UTF-8 only afterwards. A column for names must support all of Unicode (utf8mb4 in MySQL).',
    sends: [
      ['Íñigo Æsir 安全 Łódź', 'in UTF-8, two and three bytes a character'],
      ['Zoë Ågren', 'decomposed, which a normalisation would change'.normalize('NFD')],
      ['Rig 🛢️ Ωμέγα', 'with an emoji, four bytes'],
    ].map(([name = '', how]) => (make: DeliveryMaker) => {
      const worker = { ...make.alert().worker!, name };
      return make.of(
        `a name ${how}`,
        make.event({ alert: make.alert({ worker, title: `SOS: ${name} in Tank Farm` }) }),
      );
    }),
  }),
  accepts({
    number: 11,
    group,
    title: 'The signature is checked over the bytes as they came',
    clause: '5 raw body',
    fix: 'Your receiver signs JSON that it serialized again. Use the raw bytes of the request, before a framework parses them: express.raw(), request.get_data(), php://input, request.raw_post.',
    sends: [
      (make) => {
        const event = make.event({ alert: make.alert() });
        return make.raw('the same JSON with spaces, escapes and 4.50', event.id, otherBytes(event));
      },
      (make) => {
        const event = make.event({ alert: make.alert() });
        return make.raw('the same JSON with a line feed behind it', event.id, `${JSON.stringify(event)}\n`);
      },
    ],
  }),
  accepts({
    number: 12,
    group,
    title: 'A large alert is accepted',
    clause: '2 Nearby',
    fix: 'The number of people nearby has no limit: allow bodies of 1 MiB. Frameworks stop at 100 KB by default and answer 413 (express: limit, nginx: client_max_body_size).',
    sends: [
      (make) => make.of('an SOS with 900 people near, about 200 KB', make.event({ alert: nearbyMany(make, 900) })),
    ],
  }),
  accepts({
    number: 13,
    group,
    title: 'Unknown fields are accepted',
    clause: '9 the contract may change',
    fix: 'Ignore unknown fields: new fields can appear without a new version. Strict deserialisers have an option for this.',
    sends: [
      (make) => {
        const alert = { ...make.alert(), escalation: { level: 2 }, tags: ['new'] };
        return make.of('new fields in the envelope and in the alert', {
          ...make.event({ alert }),
          trace_id: 'x',
        } as unknown as Event);
      },
    ],
  }),
  accepts({
    number: 14,
    group,
    title: 'Unknown words are accepted',
    clause: '9 the contract may change',
    fix: 'Answer 2xx to unknown event types, alert types and statuses, and log them. If you refuse one, it is sent again for 24 h.',
    sends: [
      (make) =>
        make.of('the event type alert.escalated', {
          ...make.event({ alert: make.alert() }),
          type: 'alert.escalated',
        } as unknown as Event),
      (make) =>
        make.of(
          'the alert type gas_leak',
          make.event({ alert: { ...make.alert(), type: 'gas_leak', details: { ppm: 12 } } as never }),
        ),
      (make) =>
        make.of('an event about something new', {
          ...make.event({ alert: make.alert() }),
          type: 'device.replaced',
          data: { device: { serial: 'SIM-0014' } },
        } as unknown as Event),
    ],
  }),
  accepts({
    number: 15,
    group,
    title: 'Simulated and real alerts are accepted',
    clause: '2 Alert simulated, 6.9',
    fix: 'Answer 2xx to both. Mark or separate simulated alerts. The sandbox and drills send only simulated alerts.',
    sends: [true, false].map(
      (simulated) => (make: DeliveryMaker) =>
        make.of(`simulated: ${simulated}`, make.event({ alert: make.alert({ simulated }) })),
    ),
  }),
];

const NOT_2XX_FIX = 'Answer 200 or 204 as soon as the delivery is verified and stored, without a redirect.';
const REFUSED_FIX = `Does your receiver have this secret? Compute the lowercase hex HMAC-SHA256 of "<X-Service-Timestamp>.<raw body>" with the whole whsec_ text as key, and compare it with the part behind v1=. ${CLI} explain-delivery names the mistake in a signature that you computed.`;
