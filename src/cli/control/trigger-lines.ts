/** What `sandbox trigger` prints: who acted, by code and name, and the alert or muster with its page in the panel. Ids are in `--json`. [cli, trigger] */
import type { ActionResult } from '../../contract/actions.ts';
import type { Alert, Muster } from '../../contract/resources.ts';
import { colourOf, outLine } from '../output.ts';
import { callSandbox, type FoundSandbox } from '../running.ts';

export interface TriggerAnswer {
  readonly action: string;
  readonly at: string;
  readonly result?: ActionResult;
  /** The results for a list of actors, in the order of the list. */
  readonly results?: readonly ActionResult[];
}

/** The part of `GET /v1/sandbox/world` that names what a result refers to. */
interface NamedWorld {
  readonly people: readonly { readonly id: string; readonly external_id: string | null; readonly name: string }[];
  readonly sites: readonly { readonly id: string; readonly name: string }[];
}

/**
 * Prints one line for each actor. A second line follows if the watch has kept a message, or if the action joined an
 * open alert.
 */
export async function printAnswer(found: FoundSandbox, { action, at, result, results }: TriggerAnswer): Promise<void> {
  const paint = colourOf(process.stdout);
  const all = results ?? (result === undefined ? [] : [result]);
  const world = all.some(({ worker_id, site_id }) => (worker_id ?? site_id) !== undefined)
    ? ((await bodyOf(found, 'GET', '/v1/sandbox/world')) as NamedWorld | null)
    : null;
  for (const one of all) {
    const parts = [...namesIn(one, world), ...(await pagesOf(found, one))];
    outLine(`${paint('dim', at.slice(11, 23))}  ${paint('bold', action)}  ${parts.join('  ')}`.trimEnd());
    if (one.buffered === true)
      outLine(`  ${paint('amber', 'The watch keeps its message and sends it when it has signal again.')}`);
    if (one.joined === true)
      outLine(
        `  ${paint('amber', 'The action joined an open alert: it added a line to its timeline, and no event was sent.')}`,
      );
  }
}

function namesIn(
  { worker_id, site_id, permit_id, client_id, resent }: ActionResult,
  world: NamedWorld | null,
): string[] {
  const worker = world?.people.find(({ id }) => id === worker_id);
  const site = world?.sites.find(({ id }) => id === site_id);
  return [
    ...(worker_id === undefined ? [] : [worker === undefined ? `worker ${worker_id}` : codeAndName(worker)]),
    ...(site_id === undefined ? [] : [site?.name ?? `site ${site_id}`]),
    ...(permit_id === undefined ? [] : [`permit ${permit_id}`]),
    ...(client_id === undefined ? [] : [`client ${client_id}`]),
    ...(resent === undefined ? [] : [`${resent} delivered again`]),
  ];
}

const codeAndName = ({ external_id, name }: NamedWorld['people'][number]): string =>
  external_id === null ? name : `${external_id} ${name}`;

/**
 * The alert by its type and the muster by its kind, with their pages. If the sandbox does not return one of them, its
 * id.
 */
async function pagesOf(found: FoundSandbox, { alert_id, muster_id }: ActionResult): Promise<string[]> {
  const parts: string[] = [];
  if (alert_id !== undefined) {
    const alert = (await shown(found, 'alert', alert_id)) as Alert | null;
    parts.push(alert === null ? `alert ${alert_id}` : `alert ${alert.type}, ${alert.status}  ${alert.panel_url}`);
  }
  if (muster_id !== undefined) {
    const muster = (await shown(found, 'muster', muster_id)) as Muster | null;
    const panelUrl = found.ready?.panel_url ?? `${found.apiUrl}/panel`;
    parts.push(
      muster === null
        ? `muster ${muster_id}`
        : `${muster.kind} muster, ${muster.status}  ${panelUrl}/musters/${muster_id}`,
    );
  }
  return parts;
}

/**
 * The object as its GET returns it: a wait for an existing object is answered at once. Returns null if it does not
 * exist.
 */
async function shown(found: FoundSandbox, what: 'alert' | 'muster', id: string): Promise<unknown> {
  const body = await bodyOf(found, 'POST', '/v1/sandbox/wait', { [what]: id, within: '1ms' });
  return (body as { found?: unknown } | null)?.found ?? null;
}

/**
 * Returns null if the sandbox refuses the call. The action is already done, so its answer is then printed without
 * names.
 */
async function bodyOf(found: FoundSandbox, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await callSandbox(found, method, path, body);
  return answer.status === 200 ? answer.body : null;
}
