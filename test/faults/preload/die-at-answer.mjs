/** Kills the process at the n-th answer of a receiver: it has the event, and nothing here knows that yet. `DIE_AT=n`. */
import { ClientRequest } from 'node:http';

let left = Number(process.env.DIE_AT);
const { emit } = ClientRequest.prototype;
ClientRequest.prototype.emit = function (name, ...rest) {
  if (name === 'response' && this.method === 'POST' && --left === 0) process.kill(process.pid, 'SIGKILL');
  return emit.call(this, name, ...rest);
};
