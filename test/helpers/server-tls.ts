/** A server certificate for this machine, with its authority, in a folder of its own. */
import { openAuthority, type ServerTls } from '../../src/service/store/folder/authority.ts';
import { ownFolder } from './own-folder.ts';

/** What a TLS server presents; the caller calls `remove` when its tests are over. */
export async function serverTls(names = ['localhost', '127.0.0.1', '::1']): Promise<ServerTls & { remove(): void }> {
  const folder = ownFolder();
  return { ...(await openAuthority(folder.path, { names })), remove: folder.remove };
}
