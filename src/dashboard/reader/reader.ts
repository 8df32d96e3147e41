/** The dashboard for a screen reader: a sentence for each relevant change, and the same keys. */
import { later, monotonicMs } from '../../base/time/timers.ts';
import { afterChange, afterSnapshot, EMPTY_STATE, type StreamState } from '../../watching/state/state.ts';
import { capital, dayTime } from '../../watching/state/words.ts';
import type { Dashboard, DashboardOptions } from '../dashboard.tsx';
import { obey } from '../obey.ts';
import { press } from '../press.ts';
import { openStream } from '../stream.ts';
import { clean } from '../terminal/cells.ts';
import { copyTo, type TextSink } from '../terminal/terminal.ts';
import { type DashboardScene, type DashboardView, firstView, PANES, sceneOf, withSite } from '../view.ts';
import { choiceKey, detailsAloud, keysAloud, paneAloud, questionAloud, rowAloud, stateAloud } from './aloud.ts';
import { type Sentence, sentencesOf } from './spoken.ts';

interface ReaderOptions extends Pick<DashboardOptions, 'find' | 'operator' | 'as' | 'browse' | 'jobs'> {
  readonly sink: TextSink;
  /** Calls back with names of the key map; returns the function that stops it. Null: there is no keyboard. */
  readonly keys: ((onKey: (key: string) => void) => () => void) | null;
}

/** Least time between two reports of a muster's totals; wall ms. */
const TOTALS_MS = 5_000;
/** If the process was not stopped, keyboard input resumes after this time; wall ms. */
const RESUME_MS = 100;

export function openReader({
  find,
  operator,
  as = null,
  browse = () => false,
  jobs,
  sink,
  keys,
}: ReaderOptions): Dashboard {
  let world: StreamState = EMPTY_STATE;
  let view: DashboardView = firstView({ theme: 'mono', ascii: true, operator, as });
  let isBroken = false;
  let isClosed = false;
  let cancelResume = (): void => {};
  let quit: (by: 'q' | 'ctrl-c') => void = () => {};
  const quitted = new Promise<'q' | 'ctrl-c'>((resolve) => {
    quit = resolve;
  });
  const say = (text: string): void => sink.write(`${clean(text)}\n`);
  const scene = (): DashboardScene => sceneOf(world, view, monotonicMs());
  const speech = new Speech(say);
  const hands = { find, browse, copy: (text: string) => copyTo(sink, text) };

  const stream = openStream(find, {
    snapshot: (snapshot) => {
      world = afterSnapshot(world, snapshot, monotonicMs());
      view = withSite(view, world);
      for (const line of stateAloud(scene(), view)) say(line);
      if (keys !== null) say('Press ? for the keys, w for how things stand, q to quit.');
    },
    change: (change) => {
      for (const { at, text, totalsOf } of sentencesOf(world, change))
        speech.add({ text: `${dayTime(at)}. ${text}`, totalsOf });
      world = afterChange(world, change, monotonicMs());
    },
    connection: (connection) => {
      if (connection.is === 'broken' && !isBroken) say(`${connection.why} Trying again.`);
      if (connection.is === 'open' && isBroken) say('The sandbox is back.');
      isBroken = connection.is === 'broken';
    },
  });

  const onKey = (typed: string): void => {
    if (typed === 'ctrl-z') return suspend();
    const before = view;
    const key = choiceKey(view.question, typed);
    if (view.question === null && !view.isFiltering) {
      if (key === '?') return keysAloud().forEach(say);
      if (key === 'w') return stateAloud(scene(), view).forEach(say);
      if (key === 'enter') return detailsAloud(scene(), view).forEach(say);
    }
    const pressed = press(key, view, scene(), world, monotonicMs());
    // The reply has been output, so it need not be removed later.
    view = { ...pressed.view, reply: null };
    stream.reopen({ truth: view.truth });
    if (pressed.quits) return quit(key === 'ctrl-c' ? 'ctrl-c' : 'q');
    echo(sink, before, view);
    if (pressed.view.reply !== null) say(pressed.view.reply.text);
    if (view.question !== null && before.question === null) questionAloud(view.question, operator).forEach(say);
    if (view.truth !== before.truth) say(view.truth ? 'Truth on: 1 and Enter tell it.' : 'Truth off.');
    if (view.siteId !== before.siteId || (before.isFiltering && !view.isFiltering))
      paneAloud(scene(), view, view.siteId !== before.siteId ? 'map' : 'people').forEach(say);
    else if (view.pane !== before.pane || PANES[Number(key) - 1] === view.pane) {
      if (before.question === null && !view.isFiltering) paneAloud(scene(), view, view.pane).forEach(say);
    } else if (view.chosen !== before.chosen) say(rowAloud(scene(), view));
    if (view.isFiltering && !before.isFiltering) say('Filter the people: type a word, then Enter.');
    if (pressed.order !== null) {
      void obey(pressed.order, hands).then(({ text }) => say(sentence(text)));
    }
  };
  const listen = (): (() => void) => keys?.(onKey) ?? (() => {});
  let stopKeys = listen();
  const listenAgain = (): void => {
    if (jobs?.isForeground() === false) return;
    stopKeys();
    stopKeys = listen();
  };
  /** The keyboard is released first. Input resumes when the process continues, or if it was not stopped. */
  const suspend = (): void => {
    if (jobs === undefined) return;
    stopKeys();
    jobs.stop();
    cancelResume = later(RESUME_MS, listenAgain);
  };
  const stopJobs = jobs?.onContinue(listenAgain) ?? (() => {});

  return {
    quit: quitted,
    close: () => {
      if (isClosed) return;
      isClosed = true;
      speech.stop();
      stream.close();
      cancelResume();
      stopJobs();
      stopKeys();
    },
  };
}

const sentence = (text: string): string => `${capital(text)}${text.endsWith('.') ? '' : '.'}`;

/** Outputs typed text. */
function echo(sink: TextSink, before: DashboardView, after: DashboardView): void {
  const textOf = ({ question, filter, isFiltering }: DashboardView): string | null =>
    question?.kind === 'text' ? question.text : isFiltering ? filter : null;
  const [was, is] = [textOf(before), textOf(after)];
  if (was !== null && is !== null && is.length > was.length) sink.write(clean(is.slice(was.length)));
  else if (was !== null && is !== null && is.length < was.length) sink.write('\b \b');
  else if (was !== null && is === null) sink.write('\n');
}

/** Outputs sentences in order; totals of a muster are limited to one report every 5 s, with the newest values. */
export class Speech {
  readonly #say: (text: string) => void;
  readonly #after: (ms: number, task: () => void) => () => void;
  readonly #waiting = new Map<string, string>();
  #stopWaiting: (() => void) | null = null;

  constructor(say: (text: string) => void, after: (ms: number, task: () => void) => () => void = later) {
    this.#say = say;
    this.#after = after;
  }

  add({ text, totalsOf }: Omit<Sentence, 'at'>): void {
    if (totalsOf === null) return this.#say(text);
    this.#waiting.set(totalsOf, text);
    if (this.#stopWaiting === null) this.#sayTotals();
  }

  stop(): void {
    this.#stopWaiting?.();
  }

  #sayTotals(): void {
    for (const text of this.#waiting.values()) this.#say(text);
    const had = this.#waiting.size > 0;
    this.#waiting.clear();
    this.#stopWaiting = had ? this.#after(TOTALS_MS, () => this.#sayTotals()) : null;
  }
}
