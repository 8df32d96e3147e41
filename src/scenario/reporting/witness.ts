/** Records one run for its report. It has no effect on the run: logs are equal with and without a witness. */
import type { Instant } from '../../base/time/clock.ts';
import { formatInstant, parseInstant } from '../../base/time/instants.ts';
import type { AttemptNotice, Notice } from '../../contract/notices.ts';
import type { Alert, Muster } from '../../contract/resources.ts';
import { shapeOf } from '../../plant/planned-site.ts';
import type { HttpAnswer, HttpCall } from '../customer/http-client.ts';
import type { RunNotice } from '../log/run-notices.ts';
import type { Scenario } from '../model/scenario.ts';
import type { RunWitness, SeenFix, WitnessScene } from '../playing/ports.ts';
import type { RunResult } from '../playing/run-file.ts';
import { aroundOf, Happenings } from './happenings.ts';
import { PeopleStatuses } from './html/people-standing.ts';
import type { ReportAlert, ReportAttempt, ReportMuster, ReportSite, ReportStep, RunReport } from './report-data.ts';

/** Sampling interval of a person who stands still; ms. */
const STILL_MS = 60_000;

/** Movements below this are standing still; metres. */
const STILL_M = 0.5;

type Changes = { readonly t: number; readonly what: string; readonly by: string | null }[];
type AlertLane = Omit<ReportAlert, 'changes' | 'endedT'> & { readonly changes: Changes; endedT: number | null };
type MusterLane = Omit<ReportMuster, 'counts'> & { readonly counts: ReportMuster['counts'][number][] };

export class Witness implements RunWitness {
  #scene: WitnessScene | null = null;
  #start: Instant | null = null;
  readonly #steps: ReportStep[] = [];
  /** Of the last notice about a step; monotonic ms. */
  #lastMs: number | null = null;
  readonly #alerts = new Map<string, AlertLane>();
  readonly #last = new Map<string, Alert>();
  readonly #musters = new Map<string, MusterLane>();
  readonly #attempts = new Map<string, ReportAttempt[]>();
  readonly #happenings = new Happenings();
  readonly #people = new PeopleStatuses();
  readonly #tracks = new Map<string, { readonly who: string; readonly site: string; readonly points: number[] }>();

  onStage(scene: WitnessScene): void {
    this.#scene = scene;
    this.#happenings.sees(scene);
    for (const { name } of scene.scenario.receivers) this.#attempts.set(name, []);
  }

  onBegin(now: Instant): void {
    this.#start = now;
  }

  onRunNotice(notice: RunNotice): void {
    switch (notice.kind) {
      case 'step-began':
        return this.#step(notice, 'step');
      case 'mark':
        return this.#step(notice, 'mark');
      case 'step-refused':
        return this.#step({ ...notice, why: notice.detail }, 'refused');
      case 'step-skipped':
        return this.#step(notice, 'skipped');
      case 'finally-began':
        return this.#step({ atMs: notice.atMs, line: 0, text: 'finally' }, 'mark');
      case 'expectation-passed':
        return this.#step(notice, 'passed', notice.waitedMs);
      case 'expectation-failed':
        return this.#step(notice, 'failed', notice.waitedMs);
      case 'run-began':
      case 'muster-figures':
      case 'failure':
      case 'run-ended':
        return;
    }
  }

  onNotice(notice: Notice): void {
    const t = this.#at(notice.at);
    this.#happenings.add(notice, t);
    if (notice.kind === 'alert-changed') this.#alert(notice.alert, t);
    else if (notice.kind === 'muster-changed') this.#muster(notice.muster, t);
    else if (notice.kind === 'delivery-attempted') this.#attempt(notice, t);
  }

  onAnswer(call: HttpCall, answer: HttpAnswer): void {
    this.#happenings.called(call, answer);
  }

  onFix({ workerId, site, at: [x, y] }: SeenFix): void {
    const who = this.#scene?.personOf(workerId);
    if (who === undefined || this.#scene === null) return;
    let track = this.#tracks.get(workerId);
    if (track === undefined) {
      track = { who, site, points: [] };
      this.#tracks.set(workerId, track);
    }
    const { points } = track;
    const t = this.#start === null ? 0 : this.#scene.clock.now() - this.#start;
    const [lastT = Number.NEGATIVE_INFINITY, lastX = 0, lastY = 0] = points.slice(-3);
    if (t - lastT < STILL_MS && Math.hypot(x - lastX, y - lastY) < STILL_M) return;
    points.push(t, tenths(x), tenths(y));
  }

  /** The complete data, at the end of the run. */
  report(result: RunResult, version: string, rerun: string): RunReport {
    const { scenario } = this.#scene ?? { scenario: null };
    return {
      version,
      result,
      start: formatInstant(this.#start ?? scenario?.start ?? 0),
      rerun,
      steps: judgedOnce(this.#steps),
      people: [...(scenario?.cast ?? [])].flatMap(([name, ids]) => (ids.length === 1 ? [name] : ids)),
      views: (scenario?.plan.organizations ?? []).map(
        ({ name, contract: { includeWorkerNames: names, contractors } }) => ({ company: name, names, contractors }),
      ),
      alerts: [...this.#alerts.values()],
      musters: [...this.#musters.values()],
      receivers: [...this.#attempts].map(([name, attempts]) => ({ name, attempts })),
      sites: scenario === null ? [] : sitesOf(scenario),
      tracks: [...this.#tracks].map(([workerId, track]) => ({ ...track, standing: this.#people.of(workerId) })),
      around: result.failures.map((failure) => aroundOf(failure, this.#happenings.all)),
    };
  }

  #at(iso: string): number {
    const at = parseInstant(iso);
    return at === null || this.#start === null ? 0 : Math.max(0, at - this.#start);
  }

  #step(
    { atMs, line, text, why = null }: { atMs: number; line: number; text: string; why?: string | null },
    kind: ReportStep['kind'],
    waitedMs = 0,
  ): void {
    const now = this.#scene?.clock.monotonic() ?? 0;
    const wallMs = now - (this.#lastMs ?? now);
    this.#lastMs = now;
    this.#steps.push({ t: atMs, line, text, why, kind, waitedMs, wallMs });
  }

  #alert(alert: Alert, t: number): void {
    this.#people.alert(alert, t);
    const { id, type, severity, title, worker } = alert;
    let lane = this.#alerts.get(id);
    if (lane === undefined) {
      const who = worker === null ? null : (this.#scene?.personOf(worker.id) ?? worker.external_id ?? worker.id);
      lane = { id, type, severity, title, who, changes: [], endedT: null };
      this.#alerts.set(id, lane);
    }
    lane.changes.push({ t, ...whatChanged(this.#last.get(id) ?? null, alert) });
    lane.endedT = alert.status === 'resolved' ? t : null;
    this.#last.set(id, alert);
  }

  #muster(muster: Muster, t: number): void {
    this.#people.muster(muster, this.#scene?.missing(muster.id) ?? [], t);
    const { id, site, kind, phase, status, totals } = muster;
    let lane = this.#musters.get(id);
    if (lane === undefined) {
      lane = { id, site: site.name, counts: [] };
      this.#musters.set(id, lane);
    }
    lane.counts.push({ t, kind, phase: status === 'active' ? phase : status, totals });
  }

  #attempt(notice: AttemptNotice, t: number): void {
    const name = this.#scene?.receiverOf(notice.url) ?? 'another destination';
    const attempts = this.#attempts.get(name) ?? [];
    this.#attempts.set(name, attempts);
    const { event_id: eventId, event_type: eventType, object_id: objectId } = notice;
    const { offset_ms: offsetMs, result, status, signatures } = notice;
    attempts.push({ t, eventId, eventType, objectId, try: notice.try, offsetMs, result, status, signatures });
  }
}

const tenths = (metres: number): number => Math.round(metres * 10) / 10;

/** Drops the begin entries of steps that have a result entry too. */
function judgedOnce(steps: readonly ReportStep[]): ReportStep[] {
  const begun = ({ line, t, waitedMs }: ReportStep): string => `${line} ${t - waitedMs}`;
  const judged = new Set(steps.filter(({ kind }) => kind !== 'step' && kind !== 'mark').map(begun));
  return steps.filter((step) => step.kind !== 'step' || !judged.has(begun(step)));
}

function whatChanged(before: Alert | null, alert: Alert): { what: string; by: string | null } {
  if (before === null) return { what: 'created', by: null };
  if (before.status !== alert.status) {
    if (alert.status === 'acknowledged') return { what: 'acknowledged', by: alert.acknowledged?.by ?? null };
    if (alert.status === 'resolved') return { what: 'resolved', by: alert.resolved?.by ?? null };
    return { what: 'reopened', by: null };
  }
  if (before.worker_acknowledged_at !== alert.worker_acknowledged_at)
    return { what: 'acknowledged on the watch', by: null };
  if (before.assigned_to !== alert.assigned_to)
    return { what: alert.assigned_to === null ? 'unassigned' : `assigned to ${alert.assigned_to}`, by: null };
  if (before.severity !== alert.severity) return { what: `now ${alert.severity}`, by: null };
  return { what: 'changed', by: null };
}

const sitesOf = ({ plan }: Scenario): ReportSite[] =>
  plan.organizations
    .flatMap(({ sites }) => sites)
    .map((site) => ({
      name: site.name,
      boundary: shapeOf(site),
      zones: site.zones.map(({ name, type, ring }) => ({ name, type, ring })),
    }));
