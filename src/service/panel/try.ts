/** The landing page's forms: a fall, an SOS, a muster, or a scenario. [decisions 9, 10] */
import { checkAction } from '../../contract/action-check.ts';
import type { RunStatus } from '../../contract/enumerations.ts';
import { type ActionRefusal, type ActionReply, failed, type PerformAction } from './do.ts';

/** A run of a scenario; times are simulated ms. */
export interface ScenarioRun {
  readonly id: string;
  readonly scenario: string;
  readonly status: RunStatus;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly stepsDone: number;
  readonly stepsTotal: number;
  readonly failures: readonly { readonly line: number; readonly text: string }[];
}

/** Starts and lists scenarios with the permissions of the control token, for which `null` stands. */
export interface PanelScenarios {
  scenarios(): Promise<readonly { readonly name: string; readonly title: string }[]>;
  start(name: string, wishes: Record<string, never>, asking: null): Promise<ScenarioRun | ActionRefusal>;
  runs(asking: null): readonly ScenarioRun[];
}

/** `to`: the page that shows the effect. */
export interface TryReply extends ActionReply {
  readonly to?: string;
}

export async function tryOut(
  form: URLSearchParams,
  operator: string,
  act: PerformAction,
  scenarios: PanelScenarios,
): Promise<TryReply> {
  const what = form.get('what');
  if (what === 'scenario') return playScenario(form.get('scenario') ?? '', scenarios);
  const body =
    what === 'fall' || what === 'sos'
      ? { action: what, who: form.get('who') ?? '' }
      : what === 'muster'
        ? { action: 'start_muster', site: form.get('site') ?? '', kind: form.get('kind') ?? '', by: operator }
        : null;
  if (body === null) return { status: 422, text: 'What should happen: a fall, an sos, a muster or a scenario?' };
  const checked = checkAction(body);
  if (!checked.ok) return { status: 422, text: `${checked.errors.map(({ detail }) => detail).join('; ')}.` };
  const done = await act(checked.value);
  if ('rejected' in done) return failed(done);
  const result = done.answer !== undefined && 'result' in done.answer ? done.answer.result : {};
  return { status: 200, text: 'It has happened.', to: placeOf(result) };
}

function placeOf({ alert_id, muster_id, worker_id }: Readonly<Record<string, unknown>>): string {
  if (typeof muster_id === 'string') return `/panel/musters/${muster_id}`;
  if (typeof alert_id === 'string') return `/panel/alerts/${alert_id}`;
  return typeof worker_id === 'string' ? `/panel/people/${worker_id}` : '/panel';
}

async function playScenario(name: string, scenarios: PanelScenarios): Promise<TryReply> {
  const run = await scenarios.start(name, {}, null);
  return 'rejected' in run ? failed(run) : { status: 200, text: `"${name}" plays.`, to: '/#scenarios' };
}
