/** `--as`: the client whose view the dashboard shows, by its id or its organization's name. [cli] */
import { closest } from '../contract/sentences.ts';
import type { SandboxDoor } from '../dashboard/pass.ts';
import type { ViewedClient } from '../dashboard/view.ts';
import { usage } from './output.ts';
import type { FoundSandbox } from './running.ts';

/** Null without a name; an unknown name is a usage error with a suggestion. */
export function clientNamed(
  { ready }: FoundSandbox,
  name: string | undefined,
): (ViewedClient & { readonly secret: string }) | null {
  if (name === undefined) return null;
  const known = ready?.clients ?? [];
  if (known.length === 0)
    throw usage(
      '--as needs the clients of the sandbox, which stand in its data folder; its address alone is known.',
      'Name the folder with --data-dir, without SANDBOX_URL.',
    );
  const same = (word: string): boolean => word.toLowerCase() === name.toLowerCase();
  const found = known.find(({ client_id, organization }) => same(client_id) || same(organization));
  if (found === undefined) {
    // The first word of a name suffices.
    const words = new Map(
      known.flatMap(({ client_id, organization }) => [
        [client_id, client_id],
        [organization, organization],
        [organization.split(' ')[0] ?? '', client_id],
      ]),
    );
    const meant = words.get(closest(name, [...words.keys()]) ?? '');
    throw usage(
      `"${name}" is no client of this sandbox.${meant === undefined ? '' : ` Did you mean "${meant}"?`}`,
      `Its clients: ${known.map(({ client_id, organization }) => `${client_id} (${organization})`).join(', ')}.`,
    );
  }
  const { client_id, organization, scopes, client_secret } = found;
  return { clientId: client_id, organization, scopes, secret: client_secret };
}

/** Address and credentials; looked up at each attempt, since a restarted sandbox may have new secrets. */
export function doorOf(found: FoundSandbox, as: string | undefined): SandboxDoor {
  const client = clientNamed(found, as);
  return client === null ? found : { ...found, client: { clientId: client.clientId, clientSecret: client.secret } };
}
