/**
 * The claims of this process on its sites at an external broker: acquired before a site is served, renewed while it is served,
 * and checked before an uplink is taken. Two sandboxes with equal site ids would otherwise evict each other. [watch-protocol, "Claim"]
 *
 * Guarantee: no process takes over a claim that another one has renewed within `staleMs`, and a process takes no uplinks once its own
 * last renewal is older than that. Both durations are measured by the monotonic clock of one machine, so wrong clocks do not matter.
 */
import type { IPublishPacket } from 'mqtt-packet';
import type { Cancel, Clock } from '../../base/time/clock.ts';
import { formatInstant } from '../../base/time/instants.ts';
import { hostClaimTopic } from '../../contract/watch.ts';
import { encodeClaim, holderOf, isEstablished, keepsAgainst, readClaim, type SiteClaim } from './claim.ts';
import { type ClaimHolding, newHolding } from './claim-holding.ts';
import { LinkRefused } from './link.ts';

/** Whose claims these are. */
export interface ClaimOwner {
  /** Random, of the data folder or the database, and never derived from the seed. */
  readonly sandbox: string;
  /** Other processes with the same `sandbox` are nodes of the same database. Otherwise such a process runs on a copy of the folder. */
  readonly isNode: boolean;
  readonly times?: ClaimTimes;
}

/** All in milliseconds of wall time. */
interface ClaimTimes {
  readonly renewMs: number;
  /** A claim without a renewal for this long may be taken over. */
  readonly staleMs: number;
  /** From the own claim to the service, at a start: another process that claims at the same time is noticed within it. */
  readonly settleMs: number;
  /** The same after another process did claim: it has this long to object. */
  readonly contestedMs: number;
}

const TIMES: ClaimTimes = { renewMs: 10_000, staleMs: 30_000, settleMs: 500, contestedMs: 3_000 };

/** From a message on a claim's topic to its return; milliseconds of wall time. */
const ECHO_WITHIN_MS = 5_000;

/** Messages against other claims between two renewals: two processes that both insist must not flood the broker. */
const MOST_OBJECTIONS = 5;

/** In the place of a site's id, which it can never be: a message there returns after everything that the broker retained. */
const BARRIER = '~';

/** The claims of all sites: another sandbox has its sites there too. */
export const CLAIM_FILTER = hostClaimTopic('+');

export interface ClaimsParts {
  readonly clock: Pick<Clock, 'afterWall' | 'monotonic' | 'wall'>;
  readonly owner: ClaimOwner;
  /** Random, of this start. */
  readonly process: string;
  readonly nameOf: (siteId: string) => string;
  /** Sends a message once, at QoS 1; false where the broker is away. */
  readonly publish: (topic: string, payload: Buffer, retain: boolean) => boolean;
  /** `waiting`: claims of another sandbox are there, and a renewal is waited for; `taken-over`: there was none. */
  readonly onClaim: (sentence: string, is: 'waiting' | 'taken-over') => void;
  /** The site is another sandbox's from now on. */
  readonly onLost: (siteId: string, sentence: string) => void;
}

export class SiteClaims {
  readonly #parts: ClaimsParts;
  readonly #times: ClaimTimes;
  /** The last message on each topic, as its text: what the broker retains. */
  readonly #seen = new Map<string, string>();
  readonly #holdings = new Map<string, ClaimHolding>();
  readonly #lost = new Map<string, string>();
  readonly #reported = new Set<string>();
  #barriers = 0;
  #isConnected = false;
  /** What the broker retains has been read since the last connection. */
  #hasRead = false;
  #cancelBarrier: Cancel = () => {};
  #cancelRenewal: Cancel = () => {};

  constructor(parts: ClaimsParts) {
    this.#parts = parts;
    this.#times = parts.owner.times ?? TIMES;
  }

  /** Connected and subscribed; called again after each reconnection. */
  connected(): void {
    this.#isConnected = true;
    // Without a connection no renewal could arrive, so the time without one counts from now.
    for (const [siteId, holding] of this.#holdings) if (holding.phase === 'waiting') this.#begin(siteId, holding);
    this.#readAgain();
    this.#cancelRenewal();
    this.#renewLater();
  }

  disconnected(): void {
    this.#isConnected = false;
    this.#hasRead = false;
    this.#cancelBarrier();
  }

  /**
   * Resolves when the site is this process's. Rejects with `LinkRefused` where another sandbox has it, or where the broker does
   * not carry claims. `isLate`: the sandbox runs already, and a site was added or comes from another node.
   */
  acquire(siteId: string, isLate: boolean): Promise<void> {
    const known = this.#holdings.get(siteId);
    if (known !== undefined) return known.done;
    const lost = this.#lost.get(siteId);
    if (lost !== undefined) return Promise.reject(claimed(lost));
    const holding = newHolding(isLate, this.#parts.clock.monotonic());
    this.#holdings.set(siteId, holding);
    this.#begin(siteId, holding);
    if (this.#hasRead) this.#judge(siteId, holding);
    return holding.done;
  }

  /** Whether this process may take uplinks of the site: no other can have taken it over since the last renewal. */
  isSure(siteId: string): boolean {
    const holding = this.#holdings.get(siteId);
    return holding?.phase === 'held' && this.#isValid(holding);
  }

  /** No more renewals: another node has the site, or goes to have it. */
  drop(siteId: string): void {
    const holding = this.#holdings.get(siteId);
    if (holding === undefined) return;
    this.#holdings.delete(siteId);
    holding.cancel();
    holding.reject(claimed('the claim was given up'));
  }

  /** Removes what this process left at the broker, so that nobody waits for it. */
  clear(siteId: string): void {
    this.drop(siteId);
    if (readClaim(this.#seen.get(siteId) ?? '')?.process === this.#parts.process)
      this.#parts.publish(hostClaimTopic(siteId), Buffer.alloc(0), true);
  }

  /** Ends all, and removes what this process left. */
  stop(): void {
    for (const siteId of new Set([...this.#holdings.keys(), ...this.#seen.keys()])) this.clear(siteId);
    this.#cancelRenewal();
    this.#cancelBarrier();
  }

  /** A message on a topic of `CLAIM_FILTER`. True: it was one. */
  take({ topic, payload, retain, dup }: IPublishPacket): boolean {
    const siteId = topic.split('/')[2] ?? '';
    if (topic !== hostClaimTopic(siteId)) return false;
    const text = payload.toString();
    if (siteId === BARRIER) {
      if (text === this.#barrier()) this.#allRead();
      return true;
    }
    // A renewal is a message that is sent now; one that is retained, or sent again, says nothing new unless its text is new.
    const isNew = (!retain && !dup) || this.#seen.get(siteId) !== text;
    this.#seen.set(siteId, text);
    const holding = this.#holdings.get(siteId);
    if (holding === undefined || !isNew) return true;
    const claim = readClaim(text);
    if (claim === null) this.#removed(siteId, holding);
    else if (claim.process === this.#parts.process) this.#returned(siteId, holding, claim);
    else if (!this.#isCoNode(claim)) this.#met(siteId, holding, claim, retain);
    return true;
  }

  // --- acquiring

  #begin(siteId: string, holding: ClaimHolding): void {
    holding.phase = 'reading';
    this.#limitEcho(siteId, holding);
  }

  #readAgain(): void {
    this.#hasRead = false;
    this.#cancelBarrier();
    this.#read();
  }

  #read(): void {
    this.#barriers += 1;
    this.#parts.publish(hostClaimTopic(BARRIER), Buffer.from(this.#barrier()), false);
    this.#cancelBarrier = this.#parts.clock.afterWall(ECHO_WITHIN_MS, () => this.#read(), { unref: true });
  }

  #barrier(): string {
    return `${this.#parts.process}/${this.#barriers}`;
  }

  #allRead(): void {
    this.#cancelBarrier();
    this.#hasRead = true;
    for (const [siteId, holding] of [...this.#holdings]) {
      if (holding.phase === 'reading') this.#judge(siteId, holding);
      // Nobody took the site over while the broker was away, or while this process slept.
      else if (holding.phase === 'held' || holding.phase === 'claiming') this.#send(siteId, holding);
    }
  }

  /** What is retained decides: nothing, a claim of this sandbox's own, or one that may be another living sandbox's. */
  #judge(siteId: string, holding: ClaimHolding): void {
    const claim = readClaim(this.#seen.get(siteId) ?? '');
    // Of this folder, whose lock this process holds; or of another node.
    if (claim === null || claim.sandbox === this.#parts.owner.sandbox) return this.#claim(siteId, holding);
    this.#await(siteId, holding, claim);
  }

  #await(siteId: string, holding: ClaimHolding, claim: SiteClaim): void {
    holding.cancel();
    holding.phase = 'waiting';
    const seconds = `${Math.round(this.#times.staleMs / 1_000)} s`;
    const who = `Another sandbox (${holderOf(claim)})`;
    this.#say(
      claim,
      'waiting',
      `${who} has claimed the same sites at the broker: waiting ${seconds} for a renewal of the claim.`,
    );
    holding.cancel = this.#parts.clock.afterWall(this.#times.staleMs, () => {
      const words = `${who} had claimed the same sites at the broker and did not renew the claim for ${seconds}: they were taken over.`;
      this.#say(claim, 'taken-over', words);
      const untilMs = this.#parts.clock.monotonic() + this.#times.staleMs;
      holding.overtaken = { process: claim.process, untilMs };
      this.#claim(siteId, holding);
    });
  }

  /** Once for each process, however many sites it has. */
  #say({ process }: SiteClaim, is: 'waiting' | 'taken-over', sentence: string): void {
    const key = `${is}/${process}`;
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#parts.onClaim(sentence, is);
  }

  #claim(siteId: string, holding: ClaimHolding): void {
    const { clock } = this.#parts;
    holding.phase = 'claiming';
    holding.sinceWall = clock.wall();
    holding.sinceMs = clock.monotonic();
    this.#limitEcho(siteId, holding);
    this.#send(siteId, holding);
  }

  /** A broker may grant a subscription and forward nothing of it (Mosquitto's ACL files). One that is away is waited for. */
  #limitEcho(siteId: string, holding: ClaimHolding): void {
    holding.cancel();
    holding.cancel = this.#parts.clock.afterWall(ECHO_WITHIN_MS, () => {
      if (!this.#isConnected) return this.#limitEcho(siteId, holding);
      const why = `it does not bring back to the service what the service publishes on ${hostClaimTopic(siteId)}`;
      this.#refuse(siteId, holding, new LinkRefused({ why, refusal: 'subscription', greeted: true }));
    });
  }

  #settleLater(siteId: string, holding: ClaimHolding): void {
    const { settleMs, contestedMs } = this.#times;
    holding.cancel();
    const inMs = holding.isContested ? contestedMs : holding.isLate ? 0 : settleMs;
    holding.cancel = this.#parts.clock.afterWall(inMs, () => {
      holding.phase = 'held';
      // From now on the claim says that the site is taken.
      this.#send(siteId, holding);
      holding.resolve();
    });
  }

  // --- renewing

  #renewLater(): void {
    this.#cancelRenewal = this.#parts.clock.afterWall(
      this.#times.renewMs,
      () => {
        this.#renew();
        this.#renewLater();
      },
      { unref: true },
    );
  }

  #renew(): void {
    const held = [...this.#holdings].filter(([, { phase }]) => phase === 'held');
    // A process that slept may have lost a site: it reads first, and what it finds there decides.
    if (held.some(([, holding]) => !this.#isValid(holding))) return this.#readAgain();
    for (const [siteId, holding] of held) {
      holding.objections = 0;
      this.#send(siteId, holding);
    }
  }

  #isValid({ confirmedMs }: ClaimHolding): boolean {
    return this.#parts.clock.monotonic() < confirmedMs + this.#times.staleMs;
  }

  #send(siteId: string, holding: ClaimHolding): void {
    const claim = this.#claimOf(holding);
    holding.sentAt = claim.at;
    holding.sentMs = this.#parts.clock.monotonic();
    this.#parts.publish(hostClaimTopic(siteId), encodeClaim(claim), true);
  }

  #claimOf({ phase, sinceWall, sinceMs }: ClaimHolding): SiteClaim {
    const { owner, process, clock } = this.#parts;
    const elapsedMs = phase === 'held' ? Math.max(1, Math.floor(clock.monotonic() - sinceMs)) : 0;
    const [since, at] = [formatInstant(sinceWall), formatInstant(sinceWall + elapsedMs)];
    return { sandbox: owner.sandbox, process, since, at };
  }

  // --- what comes

  #returned(siteId: string, holding: ClaimHolding, { at }: SiteClaim): void {
    if (at === holding.sentAt) holding.confirmedMs = holding.sentMs;
    if (holding.phase === 'claiming') this.#settleLater(siteId, holding);
  }

  #removed(siteId: string, holding: ClaimHolding): void {
    if (holding.phase === 'waiting') this.#claim(siteId, holding);
    else if (holding.phase !== 'reading' && this.#hasRead) this.#send(siteId, holding);
  }

  #isCoNode({ sandbox }: SiteClaim): boolean {
    return this.#parts.owner.isNode && sandbox === this.#parts.owner.sandbox;
  }

  /** A claim of another sandbox, new to this process. */
  #met(siteId: string, holding: ClaimHolding, claim: SiteClaim, isRetained: boolean): void {
    switch (holding.phase) {
      case 'reading':
        return;
      case 'waiting':
        return this.#refuse(siteId, holding, claimed(this.#sentence(siteId, claim)));
      case 'claiming':
        // A broker may be late with what it retains, which is no sign of life.
        if (isRetained && isEstablished(claim)) return this.#await(siteId, holding, claim);
        if (keepsAgainst(claim, this.#claimOf(holding)))
          return this.#refuse(siteId, holding, claimed(this.#sentence(siteId, claim)));
        holding.isContested = true;
        return this.#send(siteId, holding);
      case 'held':
        if (!this.#isValid(holding)) return this.#lose(siteId, claim);
        if (keepsAgainst(claim, this.#claimOf(holding)) && !this.#isOvertaken(holding, claim))
          return this.#lose(siteId, claim);
        holding.objections += 1;
        if (holding.objections <= MOST_OBJECTIONS) this.#send(siteId, holding);
    }
  }

  /** A renewal that the process sent before it was cut off, and that arrives late. That process finds its own claim invalid. */
  #isOvertaken({ overtaken }: ClaimHolding, { process }: SiteClaim): boolean {
    return overtaken?.process === process && this.#parts.clock.monotonic() < overtaken.untilMs;
  }

  #lose(siteId: string, claim: SiteClaim): void {
    const sentence = this.#sentence(siteId, claim);
    this.#lost.set(siteId, sentence);
    this.drop(siteId);
    this.#parts.onLost(siteId, sentence);
  }

  #refuse(siteId: string, holding: ClaimHolding, error: Error): void {
    holding.cancel();
    this.#holdings.delete(siteId);
    holding.reject(error);
  }

  #sentence(siteId: string, claim: SiteClaim): string {
    const name = this.#parts.nameOf(siteId);
    return claim.sandbox === this.#parts.owner.sandbox
      ? `a process on a copy of this data folder serves the site ${name} there (${holderOf(claim)})`
      : `another sandbox serves the site ${name} there (${holderOf(claim)})`;
  }
}

const claimed = (why: string): LinkRefused => new LinkRefused({ why, refusal: 'claimed', greeted: true });
