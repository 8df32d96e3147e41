/**
 * The claims of this process on its sites at an external broker. A claim is acquired before a site is served, renewed
 * while it is served, and checked before an uplink is accepted. Otherwise two sandboxes with equal site ids would evict
 * each other. [watch-protocol, "Claim"]
 *
 * Guarantee: no process takes over a claim that another one has renewed within `staleMs`, and a process accepts no
 * uplinks once its own last renewal is older than that. Both durations are measured by the monotonic clock of one
 * machine, so wrong clocks do not matter.
 */
import type { IPublishPacket } from 'mqtt-packet';
import type { Cancel, Clock } from '../../../base/time/clock.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import { hostClaimTopic } from '../../../contract/watch.ts';
import { encodeClaim, holderOf, isEstablished, keepsAgainst, readClaim, type SiteClaim } from './claim.ts';
import { type ClaimHolding, newHolding } from './claim-holding.ts';
import { LinkRefused } from './link.ts';

/** The owner of the claims. */
export interface ClaimOwner {
  /** Random, per data folder or database, and never derived from the seed. */
  readonly sandbox: string;
  /** True if other processes with the same `sandbox` are nodes of the same database, not copies of the folder. */
  readonly isNode: boolean;
  readonly times?: ClaimTimes;
}

/** All in milliseconds of wall time. */
interface ClaimTimes {
  readonly renewMs: number;
  /** A claim without a renewal for this long may be taken over. */
  readonly staleMs: number;
  /** At a start, the time between the claim and the service, in which a simultaneous claim is noticed. */
  readonly settleMs: number;
  /** The same if another process did claim the site, which has this time to object. */
  readonly contestedMs: number;
}

const TIMES: ClaimTimes = { renewMs: 10_000, staleMs: 30_000, settleMs: 500, contestedMs: 3_000 };

/** Time limit for the return of a message on a claim's topic; milliseconds of wall time. */
const ECHO_WITHIN_MS = 5_000;

/** The most messages against other claims between two renewals, so that two processes do not flood the broker. */
const MOST_OBJECTIONS = 5;

/** Replaces a site's id, which never has this value. A message here returns after all retained messages. */
const BARRIER = '~';

/** The claims of all sites, since the sites of another sandbox are there too. */
export const CLAIM_FILTER = hostClaimTopic('+');

export interface ClaimsParts {
  readonly clock: Pick<Clock, 'afterWall' | 'monotonic' | 'wall'>;
  readonly owner: ClaimOwner;
  /** Random, per start. */
  readonly process: string;
  readonly nameOf: (siteId: string) => string;
  /** Sends a message once, with QoS 1. Returns false if the broker is disconnected. */
  readonly publish: (topic: string, payload: Buffer, retain: boolean) => boolean;
  /** `waiting` for a renewal of another sandbox's claims; `taken-over`: there was no renewal. */
  readonly onClaim: (sentence: string, is: 'waiting' | 'taken-over') => void;
  /** The site belongs to another sandbox from now on. */
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
  /** True if the retained messages have been read since the last connection. */
  #hasRead = false;
  #cancelBarrier: Cancel = () => {};
  #cancelRenewal: Cancel = () => {};

  constructor(parts: ClaimsParts) {
    this.#parts = parts;
    this.#times = parts.owner.times ?? TIMES;
  }

  /** Called when the connection is up and subscribed, also after each reconnection. */
  connected(): void {
    this.#isConnected = true;
    // A renewal could not arrive without a connection, so the waiting time starts again.
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
   * Resolves when this process holds the site. Rejects with `LinkRefused` if another sandbox holds it, or if the broker
   * does not transport claims. `isLate`: the sandbox already runs, and a site was added or comes from another node.
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

  /** True if this process may accept uplinks of the site: no other can have taken it over since the last renewal. */
  isSure(siteId: string): boolean {
    const holding = this.#holdings.get(siteId);
    return holding?.phase === 'held' && this.#isValid(holding);
  }

  /** Stops the renewals: another node holds the site, or will hold it. */
  drop(siteId: string): void {
    const holding = this.#holdings.get(siteId);
    if (holding === undefined) return;
    this.#holdings.delete(siteId);
    holding.cancel();
    holding.reject(claimed('the claim was given up'));
  }

  /** Removes the claim of this process from the broker, so that no other process waits for it. */
  clear(siteId: string): void {
    this.drop(siteId);
    if (readClaim(this.#seen.get(siteId) ?? '')?.process === this.#parts.process)
      this.#parts.publish(hostClaimTopic(siteId), Buffer.alloc(0), true);
  }

  /** Stops, and removes all claims of this process. */
  stop(): void {
    for (const siteId of new Set([...this.#holdings.keys(), ...this.#seen.keys()])) this.clear(siteId);
    this.#cancelRenewal();
    this.#cancelBarrier();
  }

  /** Handles a message on a topic of `CLAIM_FILTER`. Returns false for any other message. */
  take({ topic, payload, retain, dup }: IPublishPacket): boolean {
    const siteId = topic.split('/')[2] ?? '';
    if (topic !== hostClaimTopic(siteId)) return false;
    const text = payload.toString();
    if (siteId === BARRIER) {
      if (text === this.#barrier()) this.#allRead();
      return true;
    }
    // A renewal is a message that is sent now. A retained or repeated message has no new information unless its text is
    // new.
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
      // Confirms that no process took the site over while the broker was disconnected, or while this process slept.
      else if (holding.phase === 'held' || holding.phase === 'claiming') this.#send(siteId, holding);
    }
  }

  /** The retained message decides: none, a claim of this sandbox, or one that may belong to another running sandbox. */
  #judge(siteId: string, holding: ClaimHolding): void {
    const claim = readClaim(this.#seen.get(siteId) ?? '');
    // A claim of this folder, whose lock this process holds; or a claim of another node.
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
      holding.overtaken = { process: claim.process, untilMs: null };
      this.#claim(siteId, holding);
    });
  }

  /** Reports once for each process, whatever the number of its sites. */
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

  /**
   * A broker may grant a subscription and forward nothing of it (Mosquitto's ACL files). While the broker is
   * disconnected, the time limit starts again.
   */
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
      // From now on the claim states that the site is held.
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
    // A process that slept may have lost a site: it first reads the retained claims, which decide.
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

  // --- handling of received claims

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

  /** Handles a new claim of another sandbox. */
  #met(siteId: string, holding: ClaimHolding, claim: SiteClaim, isRetained: boolean): void {
    switch (holding.phase) {
      case 'reading':
        return;
      case 'waiting':
        return this.#refuse(siteId, holding, claimed(this.#sentence(siteId, claim)));
      case 'claiming':
        // A broker may deliver retained messages late, and they do not show that the other process is running.
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

  /**
   * True for a late renewal that the process sent before it was cut off. That process will find its own claim invalid.
   * Late renewals may arrive at any time after the take-over, and then all at once. If they continue for `staleMs`, it
   * was this process that heard nothing, and the other one has held the site throughout.
   */
  #isOvertaken({ overtaken }: ClaimHolding, { process }: SiteClaim): boolean {
    if (overtaken?.process !== process) return false;
    const nowMs = this.#parts.clock.monotonic();
    overtaken.untilMs ??= nowMs + this.#times.staleMs;
    return nowMs < overtaken.untilMs;
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
