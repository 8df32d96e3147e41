/** Scenes of what may be seen of a person: with and without their name, by the other company, and in a privacy zone. */
import { randomUUID } from 'node:crypto';

/** Where three people truly are, in the plant of scenarios/sites/harbour.yaml; the first is in its canteen, a privacy zone. */
const IN_THE_CANTEEN = { latitude: 43.362547, longitude: -8.408586 };
const ON_THE_YARD = { latitude: 43.362079, longitude: -8.408475 };
const BESIDE = { latitude: 43.362079, longitude: -8.40866 };

const AUTH = '-H "Authorization: Bearer $TOKEN"';
const BY_CONTROL = `-H "Authorization: Bearer $CONTROL" -H 'Content-Type: application/json'`;

/** Three people at work; the first and the second press SOS. Gives the alerts of both. */
export async function threePeople(book, watches) {
  book.scene('Three people at work, each with a watch of their own');
  const [hidden, caller, third] = watches.map((watch) => new Watch(book, watch));
  book.say('W-001 is in the canteen, a privacy zone; W-002 is on the yard 50 m away; W-003 is 15 m from W-002');
  await hidden.reports(IN_THE_CANTEEN);
  await caller.reports(ON_THE_YARD);
  await third.reports(BESIDE);
  book.say('A destination for their events: the receiver of this transcript');
  const hook = '\'{"url": "https://receiver.example/hook", "event_types": ["alert.*"]}\'';
  await book.curl(`"$API/v1/webhooks" ${AUTH} -H 'Content-Type: application/json' -d ${hook}`, 201, {
    show: ({ secret, ...rest }) => ({ ...rest, secret: `${secret.slice(0, 6)}…` }),
  });
  book.say('W-001 and W-002 press SOS');
  await hidden.pressesSos();
  await caller.pressesSos();
  const { body } = await book.curl(`"$API/v1/alerts" ${AUTH}`, 200, {
    show: ({ data }) => data.map(({ title }) => title),
  });
  const ofWorker = (code) => body.data.find(({ worker }) => worker?.external_id === code);
  const [ofHidden, ofCaller] = [ofWorker('W-001'), ofWorker('W-002')];
  if (ofHidden === undefined || ofCaller === undefined) throw new Error('nobody heard the SOS');
  return { ofHidden, ofCaller };
}

export async function withAndWithoutNames(book, { ofCaller }) {
  const worker = '"$API/v1/workers?external_id=W-002"';
  const alert = `"$API/v1/alerts/${ofCaller.id}"`;
  const person = {
    show: ({ data }) => data.map(({ external_id, name, contractor }) => ({ external_id, name, contractor })),
  };
  const titled = { show: ({ title, worker: { external_id, name } }) => ({ title, worker: { external_id, name } }) };
  const contract = (names) =>
    `"$API/v1/sandbox/actions" ${BY_CONTROL} -d "{\\"action\\": \\"contract\\", \\"company\\": \\"$ID\\", \\"include_worker_names\\": ${names}}"`;

  book.scene('The same worker, seen by their company and by the other');
  book.say('The contract includes names');
  const named = await book.curl(`${worker} ${AUTH}`, 200, person);
  const { name } = named.body.data[0];
  book.expect('the worker has a name', typeof name === 'string' && name !== '');
  const whole = await book.curl(`${alert} ${AUTH}`, 200, titled);
  book.expect('the title of the alert has it too', whole.body.title.includes(name));
  book.say('The contract does not include names any more');
  await book.curl(contract(false), 200);
  const unnamed = await book.curl(`${worker} ${AUTH}`, 200, person);
  const bare = await book.curl(`${alert} ${AUTH}`, 200, titled);
  book.expect(
    'the key is not there, in the worker and in the alert',
    !('name' in unnamed.body.data[0]) && !('name' in bare.body.worker),
  );
  book.expect('the name is nowhere in either answer', ![unnamed, bare].some(({ text }) => text.includes(name)));
  book.expect('the title has the code in its place', bare.body.title.includes('W-002'));
  await book.curl(contract(true), 200);

  book.say('For the other company neither exists');
  const theirs = '-H "Authorization: Bearer $OTHER"';
  await book.curl(`${alert} ${theirs}`, 404);
  const none = await book.curl(`${worker} ${theirs}`, 200);
  book.expect('its list of workers is empty', none.body.data.length === 0);
}

export async function inAPrivacyZone(book, { ofHidden, ofCaller }, receiver) {
  book.scene('A person in a privacy zone, looked for in six places');
  book.say(`W-001 is truly at ${Object.values(IN_THE_CANTEEN).join(', ')}; nobody may learn that`);
  const seen = [];
  const look = async (args, options) => {
    const answer = await book.curl(args, 200, options);
    seen.push(answer.text);
    return answer;
  };
  const isMasked = ({ masked, source, uncertainty_m, height }) =>
    masked === true && source === 'zone' && uncertainty_m === null && height === null;
  const isOfHidden = ({ worker }) => worker?.external_id === 'W-001';

  book.say('1. Positions');
  const one = { show: ({ data }) => data.filter(isOfHidden).map(({ location }) => location) };
  const positions = await look(`"$API/v1/positions" ${AUTH}`, one);
  const place = positions.body.data.find(isOfHidden)?.location;
  book.expect('it is the point of the zone, without uncertainty and height', place !== undefined && isMasked(place));
  book.expect('who is in no such zone is where they are', positions.text.includes(String(ON_THE_YARD.latitude)));
  const isThatPoint = (location) =>
    location !== null &&
    isMasked(location) &&
    location.latitude === place?.latitude &&
    location.longitude === place?.longitude;

  book.say('2. The location of their alert');
  const told = { show: ({ title, location, nearby }) => ({ title, location, nearby }) };
  const alert = await look(`"$API/v1/alerts/${ofHidden.id}" ${AUTH}`, told);
  book.expect('it is the same point', isThatPoint(alert.body.location));

  book.say('3. Who was nearby: distances would give the place away');
  const near = {
    show: ({ title, nearby }) => ({
      title,
      nearby: nearby.map(({ worker, distance_m }) => ({ worker: worker.external_id, distance_m })),
    }),
  };
  const other = await look(`"$API/v1/alerts/${ofCaller.id}" ${AUTH}`, near);
  book.expect('nobody is told to be near them', alert.body.nearby.length === 0);
  const codes = other.body.nearby.map(({ worker }) => worker.external_id);
  book.expect('near W-002 is W-003, and not W-001, who is 53 m away', codes.join() === 'W-003');

  book.say('4. The event log');
  const place4 = {
    show: ({ data }) =>
      data
        .filter(({ data: { alert: of } }) => isOfHidden(of))
        .map(({ type, data: { alert: of } }) => ({ type, location: of.location })),
  };
  const events = await look(`"$API/v1/events" ${AUTH}`, place4);
  const created = events.body.data.find(({ data }) => isOfHidden(data.alert));
  book.expect('it is the same point', created !== undefined && isThatPoint(created.data.alert.location));

  book.say('5. The webhook, as the receiver got it');
  const delivery = await receiver.delivery(({ text }) => text.includes(ofHidden.id));
  seen.push(delivery.text);
  const event = JSON.parse(delivery.text);
  book.json({ event_id: delivery.headers['x-service-event-id'], location: event.data.alert.location });
  book.expect('it is the same point', isThatPoint(event.data.alert.location));

  book.say("6. The panel's page of the alert");
  const line = { show: (html) => /<dt>Position<\/dt><dd>[^<]*/.exec(html)?.[0] };
  const page = await look(`"$API/panel/alerts/${ofHidden.id}"`, line);
  book.expect('it says that the point is of a privacy zone', page.text.includes('privacy zone'));
  book.expect('it is the same point', page.text.includes(String(place?.latitude)));

  const isLeaked = (text) => Object.values(IN_THE_CANTEEN).some((number) => text.includes(String(Math.abs(number))));
  book.expect('the true point is in none of the six', seen.length === 6 && !seen.some(isLeaked));
}

/** A watch that speaks MQTT by mqtt.js' command, one connection for each message. */
class Watch {
  #book;
  #watch;
  #session = 0;

  constructor(book, watch) {
    this.#book = book;
    this.#watch = watch;
    book.set(this.#key, watch.key, { secret: true });
  }

  get #key() {
    return `KEY_OF_${this.#watch.worker.replace('-', '_')}`;
  }

  reports(point) {
    return this.#publish('position', { ...point, uncertainty_m: 4, source: 'gps', in_vehicle: false, worn: true });
  }

  pressesSos() {
    return this.#publish('event/sos', { id: randomUUID(), with: 'watch_button' });
  }

  #publish(topic, fields) {
    const { serial, site_id } = this.#watch;
    this.#session += 1;
    const message = JSON.stringify({ session: this.#session, seq: 1, t: new Date().toISOString(), ...fields });
    const who = `-i ${serial} -u ${serial} -P "$${this.#key}"`;
    return this.#book.command(
      `mqtt_pub -h 127.0.0.1 -p "$MQTT_PORT" ${who} -q 1 -t wt/v1/${site_id}/${serial}/up/${topic} -m '${message}'`,
    );
  }
}
