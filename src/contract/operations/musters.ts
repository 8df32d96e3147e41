/**
 * Musters: the list, one muster, and its missing workers. The API cannot open a muster: the system proposes one, and a
 * person decides. [spec 1.3, 2, decisions 1, 6]
 */
import type { TObject } from 'typebox';
import { MustersQuery } from '../requests.ts';
import { List, MissingWorker, Muster, Page } from '../resources.ts';
import { operation } from './operation.ts';

export const listMusters = operation('GET', '/v1/musters', 'musters:read', {
  operationId: 'listMusters',
  tag: 'Musters',
  summary: 'List musters, the newest first',
  description:
    'A page of the evacuations of the company, by `started_at`. A muster has no time of its last change: order its versions by `created_at` of their events. This answer is at least as new as every event that was received before the request. The API cannot open one: the system proposes and a person decides.',
  query: MustersQuery as TObject,
  answers: { 200: Page('MusterPage', Muster) },
});

export const getMuster = operation('GET', '/v1/musters/:muster_id', 'musters:read', {
  operationId: 'getMuster',
  tag: 'Musters',
  summary: 'Get one muster',
  description:
    'The muster with its last headcount, which is made every 5 s. A closed muster has only the figures of its last headcount.',
  answers: { 200: Muster },
});

export const listMissingWorkers = operation('GET', '/v1/musters/:muster_id/missing', 'musters:read', {
  operationId: 'listMissingWorkers',
  tag: 'Musters',
  summary: 'List the missing workers of a muster',
  description:
    'The expected workers who are not safe. Workers who called for help come first. The others are sorted by the time when they were last seen. `location` is null without the scope `positions:read`. The list of an ended muster is empty.',
  answers: { 200: List('MissingWorkerList', MissingWorker) },
});

export const MUSTER_OPERATIONS = [listMusters, getMuster, listMissingWorkers];
