/** The password and ACL files for a Mosquitto: each watch can publish and subscribe only to its own topics. [watch-protocol, access] */
import { pbkdf2Sync } from 'node:crypto';
import { randomSecret } from '../../base/ids.ts';
import type { ReadyWatch } from '../../contract/banner.ts';
import { allFilter, downFilter, HOST_STATE_TOPIC, WATCH_ROOT } from '../../contract/watch.ts';
import { externalBrokerOf, type Sources } from '../up/options.ts';

/** The user with which the service connects. If the password is null, the user of the file must add it. */
export interface ServiceUser {
  readonly username: string;
  readonly password: string | null;
}

/** The same values as mosquitto_passwd uses. */
const ITERATIONS = 101;
const SALT_BYTES = 12;
const HASH_BYTES = 64;

export function serviceUserOf(broker: string | undefined, sources?: Sources): ServiceUser {
  if (broker === undefined) return { username: 'sandbox', password: null };
  const { username = 'sandbox', password = null } = externalBrokerOf(broker, sources);
  return { username, password };
}

/** `user:$7$iterations$salt$hash`, PBKDF2 with SHA-512. */
export function passwordLines(watches: readonly ReadyWatch[], { username, password }: ServiceUser): string[] {
  const service = password === null ? [] : [passwordLine(username, password)];
  return [...service, ...watches.map(({ serial, key }) => passwordLine(serial, key))];
}

export function aclLines(watches: readonly ReadyWatch[], { username }: ServiceUser): string[] {
  const service = [`user ${username}`, `topic readwrite ${WATCH_ROOT}/#`];
  const watch = ({ serial, site_id }: ReadyWatch) => [
    `user ${serial}`,
    `topic write ${WATCH_ROOT}/${site_id}/${serial}/up/#`,
    `topic read ${downFilter(site_id, serial)}`,
    `topic read ${allFilter(site_id)}`,
    `topic read ${HOST_STATE_TOPIC}`,
  ];
  return [...service, ...watches.flatMap(watch)];
}

function passwordLine(user: string, password: string): string {
  const salt = Buffer.from(randomSecret(SALT_BYTES)).subarray(0, SALT_BYTES);
  const hash = pbkdf2Sync(password, salt, ITERATIONS, HASH_BYTES, 'sha512');
  return `${user}:$7$${ITERATIONS}$${salt.toString('base64')}$${hash.toString('base64')}`;
}
