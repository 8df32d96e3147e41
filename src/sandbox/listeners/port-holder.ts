/** Finds the program that uses a TCP port: by /proc on Linux; on other systems, only "another program". */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Returns for example "node (process 4711)"; null if the program is unknown. */
export function holderOf(port: number): string | null {
  try {
    const inodes = listeningInodes(port);
    if (inodes.size === 0) return null;
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      if (holdsOne(pid, inodes)) return `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (process ${pid})`;
    }
  } catch {
    // This system is not Linux, or /proc is not readable: the program stays unknown.
  }
  return null;
}

/** Inodes of the sockets that listen on the port: state 0A in the kernel's table. */
function listeningInodes(port: number): Set<string> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6'])
    for (const line of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (fields[1]?.endsWith(`:${hex}`) && fields[3] === '0A' && fields[9] !== undefined) inodes.add(fields[9]);
    }
  return inodes;
}

function holdsOne(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
        return inode !== undefined && inodes.has(inode);
      } catch {
        return false;
      }
    });
  } catch {
    return false;
  }
}
