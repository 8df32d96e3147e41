/** Records one run for its report. It has no effect on the run: logs are equal with and without a witness. */
import type { Instant } from '../../base/time/clock.ts';
import { formatInstant, parseInstant } from '../../base/time/instants.ts';
import type { AttemptNotice, Notice } from '../../contract/notices.ts';
import type { Alert, Muster } from '../../contract/resources.ts';
import type { StreamChange } from '../../contract/stream.ts';
import type { HttpAnswer, HttpCall } from '../customer/http-client.ts';
import type { RunFailure } from '../judging/run-reporter.ts';
import type { RunNotice } from '../log/run-notices.ts';
import type { RunWitness, WitnessScene } from '../playing/ports.ts';
import type { RunResult } from '../playing/run-file.ts';
import { aroundOf, Happenings } from './happenings.ts';
import { Redaction } from './redaction.ts';
import type { ReportAlert, ReportAttempt, ReportMuster, ReportStep, RunReport } from './report-data.ts';
import { SeenRecorder } from './seen/recorder.ts';
import { TrueTracks } from './true-tracks.ts';

type Changes = { readonly t: number; readonly what: string; readonly by: string | null }[];
type AlertLane = Omit<ReportAlert, 'changes' | 'endedT'> & {
  readonly changes: Changes;
  endedT: number | null;
};
type MusterLane = Omit<ReportMuster, 'counts'> & { readonly counts: ReportMuster['counts'][number][] };

export class Witness implements RunWitness {
  #scene: WitnessScene | null = null;
  #start: Instant | null = null;
  readonly #steps: ReportStep[] = [];
  /** The time of the last notice about a step; monotonic ms. */
  #lastMs: number | null = null;
  readonly #alerts = new Map<string, AlertLane>();
  readonly #last = new Map<string, Alert>();
  readonly #musters = new Map<string, MusterLane>();
  readonly #attempts = new Map<string, ReportAttempt[]>();
  readonly #happenings = new Happenings();
  readonly #seen = new SeenRecorder();
  /** Null without ground truth. */
  readonly #truth: TrueTracks | null;
  readonly #redaction = new Redaction();

  /** `truth`: true if the report contains ground truth, which no client may see. [decisions 4] */
  constructor({ truth = false }: { readonly truth?: boolean } = {}) {
    this.#truth = truth ? new TrueTracks() : null;
  }

  onStage(scene: WitnessScene): void {
    this.#scene = scene;
    for (const secret of scene.secrets) this.#redaction.add(secret);
    this.#redaction.addAddress(scene.apiUrl);
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
        return this.#step(notice, 'passed', notice.waitedMs, notice.saw);
      case 'expectation-failed':
        return this.#step(notice, 'failed', notice.waitedMs, notice.saw);
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
    this.#sampleTruth();
    if (notice.kind === 'alert-changed') this.#alert(notice.alert, t);
    else if (notice.kind === 'muster-changed') this.#muster(notice.muster, t);
    else if (notice.kind === 'delivery-attempted') this.#attempt(notice, t);
  }

  onAnswer(call: HttpCall, answer: HttpAnswer): void {
    this.#redaction.learn(call, answer);
    this.#happenings.called(call, answer);
  }

  onSeen(changes: readonly StreamChange[]): void {
    for (const change of changes) this.#seen.add(change, Math.round(this.#at(change.at)));
    this.#sampleTruth();
  }

  #sampleTruth(): void {
    const scene = this.#scene;
    if (scene !== null) this.#truth?.sample(this.#now(), () => scene.truth());
  }

  /** Happenings before the run count as at its start. */
  #now(): number {
    return this.#scene === null || this.#start === null ? 0 : Math.max(0, this.#scene.clock.now() - this.#start);
  }

  /** The complete data, at the end of the run. */
  report(result: RunResult, version: string, rerun: string): RunReport {
    const { scenario } = this.#scene ?? { scenario: null };
    const redaction = this.#redaction;
    const happenings = this.#happenings.all.map((one) => ({
      ...one,
      text: redaction.text(one.text),
      body: redaction.json(one.body),
    }));
    const people = this.#seen.people.map((one) => ({
      ...one,
      who: this.#scene?.personOf(one.workerId) ?? one.workerId,
    }));
    const happenedTo = new Set(happenings.map(({ worker }) => worker));
    const seen = this.#seen.packed((workerId) => happenedTo.has(workerId));
    return {
      version,
      result: { ...result, failures: result.failures.map((failure) => redacted(failure, redaction)) },
      start: formatInstant(this.#start ?? scenario?.start ?? 0),
      rerun,
      steps: judgedOnce(this.#steps).map(({ text, ...step }) => ({ ...step, text: redaction.text(text) })),
      views: (scenario?.plan.organizations ?? []).map(
        ({ name, contract: { includeWorkerNames: names, contractors } }) => ({ company: name, names, contractors }),
      ),
      alerts: redaction.json([...this.#alerts.values()]),
      musters: [...this.#musters.values()],
      receivers: [...this.#attempts].map(([name, attempts]) => ({ name, attempts })),
      people,
      seen: { ...seen, changes: redaction.json(seen.changes) },
      truth: scenario === null ? null : (this.#truth?.report(scenario, people) ?? null),
      happenings,
      around: result.failures.map((failure) => aroundOf(failure, happenings)),
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
    saw: readonly string[] = [],
  ): void {
    const now = this.#scene?.clock.monotonic() ?? 0;
    const wallMs = now - (this.#lastMs ?? now);
    this.#lastMs = now;
    this.#steps.push({ t: atMs, line, text, why, kind, waitedMs, wallMs, saw, happened: this.#happenings.all.length });
  }

  #alert(alert: Alert, t: number): void {
    const { id, type, severity, title, worker } = alert;
    let lane = this.#alerts.get(id);
    if (lane === undefined) {
      const who = worker === null ? null : (this.#scene?.personOf(worker.id) ?? worker.external_id ?? worker.id);
      lane = { id, type, severity, title, workerId: worker?.id ?? null, who, changes: [], endedT: null };
      this.#alerts.set(id, lane);
    }
    lane.changes.push({ t, ...whatChanged(this.#last.get(id) ?? null, alert) });
    lane.endedT = alert.status === 'resolved' ? t : null;
    this.#last.set(id, alert);
  }

  #muster(muster: Muster, t: number): void {
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

const redacted = (failure: RunFailure, redaction: Redaction): RunFailure => ({
  ...failure,
  step: redaction.text(failure.step),
  reasons: failure.reasons.map((one) => redaction.text(one)),
  text: redaction.text(failure.text),
  whole: redaction.text(failure.whole),
  rows: redaction.json(failure.rows),
});

/** Removes the start entries of steps that also have a result entry. */
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
