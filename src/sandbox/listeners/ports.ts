/** Listens on a requested port, or on a default port that is replaced when it is in use. [cli, up] */
import { Outage } from '../../base/assert.ts';
import { holderOf } from './port-holder.ts';

/** Listens on the port. If a default port is in use, a free port is chosen and a warning is added. */
export async function listenOn<T>(
  what: { name: string; flag: string; requested: number | undefined; standard: number; host: string },
  listen: (port: number) => Promise<T>,
  portOf: (listener: T) => number,
  warnings: string[],
): Promise<T> {
  const { name, flag, requested, standard, host } = what;
  try {
    return await listen(requested ?? standard);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' && requested === undefined) {
      const listener = await listen(0);
      warnings.push(`The ${name} port ${standard} is taken; ${name} listens on ${portOf(listener)} instead.`);
      return listener;
    }
    throw outage(error as NodeJS.ErrnoException, name, flag, requested ?? standard, host);
  }
}

function outage(error: NodeJS.ErrnoException, name: string, flag: string, port: number, host: string): Outage {
  switch (error.code) {
    case 'EADDRINUSE': {
      const holder = holderOf(port);
      const by = holder === null ? 'another program' : holder;
      return new Outage({
        code: 'port_taken',
        message: `The ${name} port ${port} is taken by ${by}.`,
        fix: `Stop it, or choose another port with ${flag} (0 selects a free port).`,
        cause: error,
      });
    }
    case 'EACCES':
      return new Outage({
        code: 'port_not_allowed',
        message: `This user is not allowed to listen on port ${port}.`,
        fix: `Choose a port above 1023 with ${flag}.`,
        cause: error,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Outage({
        code: 'host_not_here',
        message: `${host} is not an address of this machine.`,
        fix: 'Use an address of this machine with --host, such as 127.0.0.1.',
        cause: error,
      });
    default:
      return new Outage({
        code: 'cannot_listen',
        message: `${name} cannot listen on ${host}:${port}: ${error.message}`,
        fix: `Choose another port with ${flag}, or another address with --host.`,
        cause: error,
      });
  }
}
