/** Controls the displayed instant: the scrubber, its buttons, keys and links, and playback. */
import { formatClockTime } from '../../../../base/time/instants.ts';
import { isOpen } from '../../../../watching/state/people.ts';
import type { RunAt } from '../run-at.ts';
import { cursorsOf, type TimeCursor } from './cursors.ts';
import { byId, setText } from './elements.ts';
import { Filters } from './filters.ts';
import { listenToKeys } from './keys.ts';
import { Log } from './log.ts';
import { Regions } from './regions.ts';
import { Steps } from './steps.ts';
import { TruthTable } from './truth.ts';

export class RunPlayer {
  readonly #run: RunAt;
  readonly #regions: Regions;
  readonly #filters: Filters;
  readonly #log: Log;
  readonly #steps: Steps;
  readonly #truth: TruthTable;
  readonly #cursors: readonly TimeCursor[];
  readonly #scrubber = byId<HTMLInputElement>('scrubber');
  readonly #speed = byId<HTMLSelectElement>('speed');
  readonly #playButton = document.querySelector('[data-go="play"]') as HTMLButtonElement;
  readonly #cards = [...document.querySelectorAll<HTMLElement>('.failure[data-failure]')];
  #t = 0;
  /** The place of the step that the reader chose, by itself or by its failure; null: an instant was chosen. */
  #step: number | null = null;
  #failure = -1;
  /** Incremented with each play and pause, so that an older animation ends. */
  #playing = 0;
  #isPlaying = false;

  constructor(run: RunAt) {
    this.#run = run;
    this.#filters = new Filters(run, () => this.#show());
    this.#regions = new Regions(run, () => this.#show());
    const goTo = (t: number) => this.#goTo(t);
    this.#log = new Log(run, this.#filters, goTo);
    this.#steps = new Steps(run, (t, step) => this.#goTo(t, true, step));
    this.#truth = new TruthTable(run);
    this.#cursors = cursorsOf(goTo);
  }

  begin(): void {
    this.#scrubber.addEventListener('input', () => {
      this.#pause();
      this.#t = Number(this.#scrubber.value);
      this.#step = null;
      this.#show();
    });
    this.#scrubber.addEventListener('change', () => this.#settle());
    for (const one of document.querySelectorAll<HTMLButtonElement>('[data-go]'))
      one.addEventListener('click', () => this.#act(one.dataset['go'] ?? ''));
    listenToKeys((command) => this.#act(command));
    addEventListener('hashchange', () => this.#follow(location.hash));
    // A link to the present address causes no change of the address, so the click is handled here.
    document.addEventListener('click', (event) => {
      const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
      const hash = link?.getAttribute('href') ?? '';
      if (this.#chosen(hash)) event.preventDefault();
      else if (hash !== '' && hash === location.hash) this.#follow(hash);
    });
    measureBar();
    if (this.#follow(location.hash)) return;
    const [first] = this.#cards;
    if (first === undefined) return this.#goTo(this.#run.run.end, false);
    this.#choose(0);
    first.focus({ preventScroll: true });
    first.scrollIntoView();
  }

  /** Handles `#t=12.345`, `#failure-1` and `#line-14`; returns false if the address names no instant. */
  #follow(hash: string): boolean {
    const [, seconds] = /^#t=(\d+(?:\.\d+)?)$/.exec(hash) ?? [];
    const [, failure] = /^#failure-(\d+)$/.exec(hash) ?? [];
    const [, line] = /^#line-(\d+)$/.exec(hash) ?? [];
    if (seconds !== undefined) this.#goTo(Number(seconds) * 1_000);
    else if (failure !== undefined) this.#choose(Number(failure) - 1);
    else if (line !== undefined) {
      const step = this.#run.run.steps.findIndex((one) => one[2] === Number(line));
      this.#goTo(this.#run.run.steps[step]?.[0] ?? 0, false, step < 0 ? null : step);
    } else return false;
    return true;
  }

  /** Handles the links of the regions to a person or an alert, which filter the page; returns false for other links. */
  #chosen(hash: string): boolean {
    const [, kind, id = ''] = /^#\/(people|alerts)(?:\/(.+))?$/.exec(hash) ?? [];
    const { people, objects, alerts } = this.#run.run;
    if (kind === undefined) return false;
    if (kind === 'people') this.#filters.toggleWorker(people.findIndex(({ workerId }) => workerId === id));
    const object = objects.indexOf(id);
    if (kind === 'alerts') this.#filters.chooseAlert(object);
    const begins = kind === 'alerts' ? alerts.find(([one]) => one === object)?.[2] : undefined;
    if (begins !== undefined) this.#log.reveal(begins);
    return true;
  }

  #act(command: string): void {
    const { run, happenings } = this.#run;
    const events = () => happenings.filter((one) => this.#filters.has(one)).map(({ t }) => t);
    const steps = () => run.steps.map(([began]) => began);
    switch (command) {
      case 'play':
        return this.#isPlaying ? this.#stop() : this.#play();
      case 'begin':
        return this.#goTo(0);
      case 'end':
        return this.#goTo(run.end);
      case 'event-before':
        return this.#goTo(events().findLast((t) => t < this.#t) ?? 0);
      case 'event-next':
        return this.#goTo(events().find((t) => t > this.#t) ?? run.end);
      case 'step-before':
        return this.#goTo(steps().findLast((t) => t < this.#t) ?? 0);
      case 'step-next':
        return this.#goTo(steps().find((t) => t > this.#t) ?? run.end);
      case 'failure-before':
      case 'failure-next':
        return this.#toFailure(command === 'failure-next' ? 1 : -1);
      case 'faster':
      case 'slower': {
        const place = this.#speed.selectedIndex + (command === 'faster' ? 1 : -1);
        this.#speed.selectedIndex = Math.max(0, Math.min(this.#speed.options.length - 1, place));
        return;
      }
      case 'keys': {
        const keys = byId<HTMLDetailsElement>('keys');
        keys.open = !keys.open;
      }
    }
  }

  #toFailure(by: number): void {
    const { length } = this.#cards;
    if (length === 0) return;
    const next = (this.#failure + by + length) % length;
    const card = this.#cards[next];
    history.replaceState(null, '', `#failure-${next + 1}`);
    this.#choose(next);
    card?.focus({ preventScroll: true });
    card?.scrollIntoView();
  }

  #choose(index: number): void {
    const failure = this.#run.run.failures[index];
    if (failure === undefined) return;
    this.#failure = index;
    for (const [place, card] of this.#cards.entries()) card.classList.toggle('chosen', place === index);
    const [beganMs, atMs, line] = failure;
    const step = this.#run.run.steps.findIndex((one) => one[0] === beganMs && one[2] === line);
    this.#goTo(atMs, false, step < 0 ? null : step);
  }

  /** `keeps`: true if the address is updated with the instant. `step`: the place of the step that was chosen. */
  #goTo(t: number, keeps = true, step: number | null = null): void {
    this.#pause();
    this.#step = step;
    this.#t = Math.max(0, Math.min(this.#run.run.end, t));
    this.#show();
    this.#settle(keeps);
  }

  #show(): void {
    const t = this.#t;
    this.#regions.show(t, this.#run.run.people[this.#filters.worker]?.workerId ?? null);
    this.#log.show(t);
    this.#steps.show(t, this.#step);
    this.#truth.show(t);
    for (const cursor of this.#cursors) cursor.moveTo(t);
    const time = formatClockTime(t);
    setText(byId('at'), time);
    setText(byId('now-at'), ` at ${time.slice(0, 8)}`);
    this.#scrubber.value = String(Math.round(t));
    this.#scrubber.setAttribute('aria-valuetext', time);
  }

  /** Called when the instant stays: it is announced, and stored in the address. */
  #settle(keeps = true): void {
    const t = this.#t;
    const { alerts, musters } = this.#run.world(t);
    const open = [...alerts.values()].filter(isOpen).length;
    const active = [...musters.values()].filter(({ status }) => status === 'active');
    const count = active.map(({ totals }) => `, ${totals.safe} of ${totals.expected} safe`);
    setText(
      byId('instant'),
      `${formatClockTime(t)}: ${this.#steps.text}; ${open} open ${open === 1 ? 'alert' : 'alerts'}${count.join('')}`,
    );
    if (keeps) history.replaceState(null, '', `#t=${(t / 1_000).toFixed(3)}`);
  }

  #play(): void {
    if (this.#t >= this.#run.run.end) this.#t = 0;
    const mine = ++this.#playing;
    this.#isPlaying = true;
    this.#step = null;
    this.#playButton.textContent = 'Pause';
    let last: number | null = null;
    const frame = (now: number): void => {
      if (mine !== this.#playing) return;
      const passed = last === null ? 0 : now - last;
      last = now;
      this.#t = Math.min(this.#run.run.end, this.#t + passed * Number(this.#speed.value));
      this.#show();
      if (this.#t < this.#run.run.end) requestAnimationFrame(frame);
      else this.#stop();
    };
    requestAnimationFrame(frame);
  }

  #pause(): void {
    this.#playing++;
    this.#isPlaying = false;
    setText(this.#playButton, 'Play');
  }

  #stop(): void {
    this.#pause();
    this.#settle();
  }
}

/** Measures the sticky bar, so that the style can keep scroll targets below it. */
function measureBar(): void {
  const parts = [...document.querySelectorAll<HTMLElement>('.player, .player .bar')];
  const measure = (): void => {
    // On a narrow screen the first part has no box of its own.
    const sticky = parts.find((part) => part.offsetHeight > 0);
    document.documentElement.style.cssText = `--bar:${sticky?.offsetHeight ?? 0}px`;
  };
  const observer = new ResizeObserver(measure);
  for (const part of parts) observer.observe(part);
  measure();
}
