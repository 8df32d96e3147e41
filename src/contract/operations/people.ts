/** Workers, their watches, and their positions as the veil permits. [spec 2, decisions 1, 4] */
import type { TObject } from 'typebox';
import { DevicesQuery, PositionsQuery, WorkersQuery } from '../requests.ts';
import { Device, List, Page, Position, Worker } from '../resources.ts';
import { operation } from './operation.ts';

export const listWorkers = operation('GET', '/v1/workers', 'workers:read', {
  operationId: 'listWorkers',
  tag: 'Workers and devices',
  summary: 'List workers',
  description:
    'A page of the workers of the company and the watch that each wears, by id. `name` is present only if the contract includes names.',
  query: WorkersQuery as TObject,
  answers: { 200: Page('WorkerPage', Worker) },
});

export const listDevices = operation('GET', '/v1/devices', 'workers:read', {
  operationId: 'listDevices',
  tag: 'Workers and devices',
  summary: 'List watches',
  description: 'A page of the watches of the company and their wearers, by id.',
  query: DevicesQuery as TObject,
  answers: { 200: Page('DevicePage', Device) },
});

export const listPositions = operation('GET', '/v1/positions', 'positions:read', {
  operationId: 'listPositions',
  tag: 'Positions',
  summary: 'List the positions that the privacy rules allow',
  description: `The current positions that a panel user would see: those of the last 15 minutes, of watches in service. On a site in \`on_demand\` mode, a worker appears only with an open alert at or above the site's \`unveil_min_severity\`, during an evacuation, or with an approved request.

In a privacy zone, the point is the representative point of the zone, not the position of the worker: \`masked\` is true and \`source\` is \`zone\`.`,
  query: PositionsQuery as TObject,
  answers: { 200: List('PositionList', Position) },
});

export const PEOPLE_OPERATIONS = [listWorkers, listDevices, listPositions];
