/** The state of the sandbox as a whole: reset, and snapshots. Control token only. [decisions 9, cli] */
import { Type } from 'typebox';
import { List } from '../resources.ts';
import { closed, Time, whole } from '../shapes.ts';
import { ClockState } from './clock.ts';
import { operation } from './operation.ts';

export const Snapshot = closed('Snapshot', 'The state of a sandbox in a file of its data folder.', {
  name: Type.String(),
  file: Type.String(),
  bytes: whole(0),
  saved_at: { ...Time, description: 'Wall time.' },
});

/** Names that are valid file names on every operating system. */
export const SNAPSHOT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const SnapshotName = closed('SnapshotName', 'The name of the snapshot.', {
  name: Type.String({
    pattern: SNAPSHOT_NAME.source,
    'x-rule': 'must be 1 to 64 letters, digits, dots, dashes or underscores, the first a letter or digit',
  }),
});

const WHAT_ENDS =
  'Connections are closed: watches and streams reconnect automatically; running waits, recordings and scenarios end. Addresses, secrets and access tokens stay.';

export const resetSandbox = operation('POST', '/v1/sandbox/reset', 'control', {
  operationId: 'resetSandbox',
  tag: 'Sandbox',
  summary: 'Reset the sandbox to its initial state',
  description: `Deletes alerts, musters, events, destinations, deliveries and logs. The workers are at their places of the first start, the emulated fleet has all its watches, and the clock has the time that it has at a start. The response is sent when the reset is done. ${WHAT_ENDS} Needs the control token.`,
  problems: ['action_refused'],
  answers: { 200: ClockState },
});

export const listSnapshots = operation('GET', '/v1/sandbox/snapshots', 'control', {
  operationId: 'listSnapshots',
  tag: 'Sandbox',
  summary: 'List the snapshots',
  description: 'The snapshots in the data folder, by name. Needs the control token.',
  answers: { 200: List('SnapshotList', Snapshot) },
});

export const saveSnapshot = operation('POST', '/v1/sandbox/snapshots', 'control', {
  operationId: 'saveSnapshot',
  tag: 'Sandbox',
  summary: 'Save the state to a file',
  description:
    'Saves the world, the event log, deliveries and the emulated fleet in the data folder, and replaces a snapshot with the same name. Access tokens and the request log are not part of it. Needs the control token.',
  body: SnapshotName,
  answers: { 201: Snapshot },
});

export const loadSnapshot = operation('POST', '/v1/sandbox/snapshots/:name/load', 'control', {
  operationId: 'loadSnapshot',
  tag: 'Sandbox',
  summary: 'Load a snapshot',
  description: `Replaces the whole state by the saved state, including the clock and the emulated workers. The response is sent when this is done. A snapshot that cannot be used changes nothing. ${WHAT_ENDS} Needs the control token.`,
  problems: ['not_found', 'action_refused'],
  answers: { 200: ClockState },
});

export const STATE_OPERATIONS = [resetSandbox, listSnapshots, saveSnapshot, loadSnapshot];
