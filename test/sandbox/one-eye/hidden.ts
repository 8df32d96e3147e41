/** What a viewer must not see, by the ground truth of the world and not by the code that shows it. */
import { representativePoint } from '../../../src/base/geometry/shapes.ts';
import { SCOPES, type Scope } from '../../../src/contract/enumerations.ts';
import { frameOf, hidingZone, positionVisible } from '../../../src/service/domain/privacy/places.ts';
import type { Alert, Site, Worker } from '../../../src/service/domain/world/documents.ts';
import type { Fix } from '../../../src/service/domain/world/embedded.ts';
import type { World } from './world.ts';

/** A word that must not stand in any output, and whose it is. */
export interface Secret {
  readonly word: string;
  readonly what: string;
  /** How it is looked for in a text. */
  readonly form: 'number' | 'pair' | 'text';
  readonly lower: string;
}

/** Shorter words stand in any text by chance. */
const SHORTEST = 6;

const READS: readonly Scope[] = SCOPES.filter((scope) => scope.endsWith(':read'));

export class Hidden {
  readonly #world: World;
  /** Everything that ever was, by its word. */
  readonly #all = new Map<string, string>();
  /** What the viewer might see at some time; it is no secret from then on. */
  readonly #seen = new Set<string>();
  readonly #points = new Map<string, string>();
  readonly #seenPoints = new Set<string>();
  readonly #ends: (() => void)[] = [];
  #drawn = 0;

  constructor(world: World) {
    this.#world = world;
    this.#ends.push(
      world.sandbox.engine.listen({
        committed: ({ touched, reportingDevices }) => {
          if (touched.some(({ kind }) => kind !== 'token' && kind !== 'heard')) this.look();
          if (reportingDevices.size > 0) this.#fixesOf(reportingDevices);
        },
      }),
      world.sandbox.engine.listen({
        notice: (notice) => {
          // A test event is its destination's own.
          if (notice.kind !== 'event-occurred' || !notice.listed) return;
          const { event } = notice;
          const { alert } = event.data as { alert?: { id: string } };
          const known = alert === undefined ? undefined : this.#documents.get('alert', alert.id);
          this.#word(event.id, `${event.type} event`, event.organization_id === this.#own && this.#seesEvent(known));
        },
      }),
    );
    this.look();
  }

  end(): void {
    for (const end of this.#ends) end();
  }

  get #documents() {
    return this.#world.sandbox.engine.world;
  }

  get #own(): string {
    return this.#documents.need('client', this.#world.ownClient.client_id).organizationId;
  }

  #may(...scopes: Scope[]): boolean {
    return scopes.some((scope) => this.#world.scopes.includes(scope));
  }

  #seesWorker(worker: Pick<Worker, 'organizationId' | 'contractor'>): boolean {
    const { contractors } = this.#world.ownClient;
    if (worker.organizationId !== this.#own) return false;
    return contractors === null || (worker.contractor !== null && contractors.includes(worker.contractor));
  }

  #seesAlert({ organizationId, worker }: Alert): boolean {
    if (!this.#may('alerts:read') || organizationId !== this.#own) return false;
    return worker === null || this.#seesWorker({ organizationId, contractor: worker.contractor });
  }

  #seesEvent(alert: Alert | undefined): boolean {
    return alert === undefined ? this.#may('musters:read', 'alerts:read') : this.#seesAlert(alert);
  }

  #word(word: string | null, what: string, seen: boolean): void {
    if (word === null || word.length < SHORTEST) return;
    if (!this.#all.has(word)) this.#all.set(word, what);
    if (seen) this.#seen.add(word);
  }

  /** Everything as it is now. */
  look(): void {
    const world = this.#documents;
    const own = this.#own;
    const isOwn = (organizationId: string) => organizationId === own;
    for (const { id, name } of world.all('organization')) {
      this.#word(id, 'an organization', isOwn(id));
      this.#word(name, 'an organization', isOwn(id));
    }
    for (const { id, organizationId } of world.all('client')) this.#word(id, 'a client', isOwn(organizationId));
    for (const { id, name, organizationId } of world.all('site')) {
      this.#word(id, 'a site', isOwn(organizationId));
      this.#word(name, 'a site', isOwn(organizationId));
    }
    for (const { id, name, siteId } of world.all('zone')) {
      const seen = isOwn(world.need('site', siteId).organizationId);
      this.#word(id, 'a zone', seen);
      this.#word(name, 'a zone', seen);
    }
    for (const worker of world.all('worker')) this.#person(worker);
    for (const { id, serial, organizationId, workerId } of world.all('device')) {
      const worker = workerId === null ? undefined : world.get('worker', workerId);
      const spare = isOwn(organizationId) && this.#world.ownClient.contractors === null;
      const seen = worker === undefined ? spare : this.#seesWorker(worker);
      this.#word(id, 'a watch', seen);
      this.#word(serial, 'a serial', seen);
    }
    for (const alert of world.all('alert')) {
      this.#word(alert.id, `an alert ${alert.type}`, this.#seesAlert(alert));
      const { location } = alert;
      if (location !== null && this.#seesAlert(alert)) this.#seenAt(location.latitude, location.longitude);
    }
    for (const { id, organizationId } of world.all('muster')) {
      // An alert of a person who cannot evacuate names its muster.
      const seen = isOwn(organizationId) && this.#may('musters:read', 'alerts:read');
      this.#word(id, 'a muster', seen);
    }
    for (const { id, url, secret, organizationId } of world.all('destination')) {
      this.#word(id, 'a destination', isOwn(organizationId));
      this.#word(url, 'a destination', isOwn(organizationId));
      this.#word(secret, 'a signing secret', isOwn(organizationId));
    }
    for (const { id, reference, workerId } of world.all('permit')) {
      const worker = world.get('worker', workerId);
      this.#word(id, 'a permit', worker !== undefined && this.#seesWorker(worker));
      this.#word(reference, 'a permit', worker !== undefined && this.#seesWorker(worker));
    }
    this.#word(this.#world.sandbox.ready.control_token, 'the control token', false);
    this.#fixesOf(new Set([...world.all('device')].map(({ id }) => id)));
    this.#geometry();
    for (const { origin, organizationId } of world.all('muster'))
      if (origin !== null && isOwn(organizationId)) this.#seenAt(origin.latitude, origin.longitude);
  }

  #fixesOf(deviceIds: ReadonlySet<string>): void {
    const world = this.#documents;
    for (const id of deviceIds) {
      const device = world.get('device', id);
      const { fix } = world.telemetry(id);
      if (device !== undefined && fix !== null) this.#fix(fix, world.need('site', device.siteId), device.workerId);
    }
  }

  /** Borders are public but those of privacy zones, of which the one point is that stands for all in them. [decisions 4] */
  #geometry(): void {
    const world = this.#documents;
    // Zones come and go with the sites of scenarios.
    const count = world.count('zone') * 1_000 + world.count('site');
    if (count === this.#drawn) return;
    this.#drawn = count;
    for (const { siteId, type, ring } of world.all('zone')) {
      const site = world.need('site', siteId);
      const frame = frameOf(site);
      const isPrivate = type === 'privacy' || site.organizationId !== this.#own;
      for (const point of isPrivate ? [representativePoint(ring)] : ring) {
        const { latitude, longitude } = frame.toDegrees(point);
        if (site.organizationId === this.#own) this.#seenAt(latitude, longitude, point);
      }
      if (isPrivate)
        for (const point of ring) this.#point(frame.toDegrees(point), 'the border of a privacy zone', point);
    }
    for (const site of world.all('site'))
      if (site.organizationId === this.#own)
        for (const point of site.boundary) {
          const { latitude, longitude } = frameOf(site).toDegrees(point);
          this.#seenAt(latitude, longitude);
        }
  }

  #person(worker: Worker): void {
    const seen = this.#seesWorker(worker);
    const names = this.#world.ownClient.include_worker_names;
    this.#word(worker.id, 'a worker', seen);
    // Of a scenario's own people only the ids are theirs alone: its texts stand on the shelf for everybody.
    if (!/^(Vx|Fx|GX)-EXT|^(GX)-|^(Vx|Fx)-/.test(worker.externalId ?? '') && !/(Vx|Fx|Gx)/.test(worker.name)) return;
    this.#word(worker.externalId, 'an external id', seen);
    this.#word(worker.name, 'a name', seen && names);
    this.#word(worker.contractor, 'a contractor', seen);
  }

  #fix(fix: Fix, site: Site, workerId: string | null): void {
    const world = this.#documents;
    const frame = frameOf(site);
    this.#point(fix, 'a true point', frame.toMetres(fix));
    const worker = workerId === null ? undefined : world.get('worker', workerId);
    if (worker === undefined || !this.#seesWorker(worker) || !this.#may('positions:read')) return;
    const now = this.#world.sandbox.clock.now();
    if (positionVisible(world, site, worker.id, now) && hidingZone(world, site, fix) === null)
      this.#seenAt(fix.latitude, fix.longitude, frame.toMetres(fix));
  }

  #point(at: { latitude: number; longitude: number }, what: string, metres: readonly [number, number]): void {
    for (const form of formsOf(at.latitude, at.longitude, metres))
      if (!this.#points.has(form)) this.#points.set(form, what);
  }

  #seenAt(latitude: number, longitude: number, metres?: readonly [number, number]): void {
    for (const form of formsOf(latitude, longitude, metres)) this.#seenPoints.add(form);
  }

  /** What is secret still. */
  get secrets(): Secret[] {
    const words = [...this.#all].filter(([word]) => !this.#seen.has(word));
    const points = [...this.#points].filter(([form]) => !this.#seenPoints.has(form));
    return [...words, ...points].map(([word, what]) => this.#secretOf(word, what));
  }

  readonly #known = new Map<string, Secret>();

  #secretOf(word: string, what: string): Secret {
    const known = this.#known.get(word);
    if (known?.what === what) return known;
    const form = NUMBER.test(word) ? 'number' : PAIR.test(word) ? 'pair' : 'text';
    const secret = { word, what, form, lower: word.toLowerCase() } as const;
    this.#known.set(word, secret);
    return secret;
  }

  /** Something that the viewer may name, and the like of which it may not. */
  isSecret(word: string): boolean {
    return this.#all.has(word) && !this.#seen.has(word);
  }
}

/** A place as degrees, and as metres of the site as a draft of a scenario writes them. */
function formsOf(latitude: number, longitude: number, metres?: readonly [number, number]): string[] {
  const degrees = [latitude, longitude].map(String).filter((text) => text.length > 8);
  if (metres === undefined) return degrees;
  const [x, y] = metres;
  const rounded = [1, 2, 3, 4].map((digits) => [Number(x.toFixed(digits)), Number(y.toFixed(digits))] as const);
  // Whole metres are anybody's.
  const uneven = rounded.filter(([a, b]) => !Number.isInteger(a) && !Number.isInteger(b));
  return [...degrees, ...uneven.flatMap(([a, b]) => [`[${a}, ${b}]`, `[${a},${b}]`])];
}

const NUMBER = /^-?\d+\.\d+$/;
/** A place in metres, as `formsOf` writes it. */
const PAIR = /^\[-?\d+(?:\.\d+)?, ?-?\d+(?:\.\d+)?\]$/;

/** The secrets that stand in a text, in whatever way it is written. There are thousands of places, so they are looked up. */
export function leaksIn(text: string, secrets: readonly Secret[]): Secret[] {
  const forms = formsOfText(text);
  const numbers = new Set(forms.match(/-?\d+\.\d+/g));
  const pairs = new Set(forms.match(/\[-?\d+(?:\.\d+)?, ?-?\d+(?:\.\d+)?\]/g));
  return secrets.filter(({ word, form, lower }) => {
    if (form === 'number') return numbers.has(word);
    return form === 'pair' ? pairs.has(word) : forms.includes(lower);
  });
}

/** As it stands, and decoded: escapes of JSON, percent signs, and base64 as cursors are. */
function formsOfText(text: string): string {
  const unescaped = text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const percent = text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
  const decoded = [...text.matchAll(/[A-Za-z0-9_-]{24,}/g)].map(([run]) =>
    Buffer.from(run, 'base64url').toString('utf8'),
  );
  return [text, unescaped, percent, ...decoded].join('\n').toLowerCase();
}

export const mayReadAnything = (scopes: readonly Scope[]): boolean => READS.some((scope) => scopes.includes(scope));
