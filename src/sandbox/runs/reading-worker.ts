/** The worker thread that reads large scenario files for the API: it answers requests one at a time, and loads no database. */
import { parentPort } from 'node:worker_threads';
import { readShared } from '../../scenario/reading/merged-file.ts';
import { shelved } from '../../scenario/reading/scenario-catalog.ts';
import { isRejection } from '../../service/domain/changes.ts';
import { examine } from './examine.ts';
import type { ReadingReply, ReadingRequest } from './scenario-reader.ts';

function replyTo(request: ReadingRequest): ReadingReply {
  if (request.kind === 'list') return { kind: 'listed', listed: shelved(request.name, request.file) };
  const examined = examine(request.request, readShared);
  if (isRejection(examined)) return { kind: 'rejected', rejection: examined };
  return { kind: 'examined', scenario: examined.scenario, transferred: examined.transfer() };
}

parentPort?.on('message', (request: ReadingRequest) => parentPort?.postMessage(replyTo(request)));
