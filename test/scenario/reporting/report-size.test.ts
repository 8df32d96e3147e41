/** The page of a long muster of many people stays small enough to be sent. */
import { expect } from 'vitest';
import { htmlReport } from '../../../src/scenario/reporting/html/html-report.ts';
import { unless } from '../../helpers/unless.ts';
import { withoutWhole } from '../../helpers/whole.ts';
import { reported } from './reported.ts';

const MINUTES = 30;
const PEOPLE = 100;
const MOST_BYTES = 2_000_000;

const SCENARIO = `
scenario: A muster of many
seed: 3
site:
  name: Terminal
  origin: [43.361, -8.412]
  zones:
    Dock 1: {type: work_area, box: [0, 0, 200, 160]}
    Dock 2: {type: work_area, box: [240, 0, 440, 160]}
    Gate A: {type: assembly_point, box: [-80, 0, -40, 40], serves: [general]}
crowd: {crew: {count: ${PEOPLE}, in: Dock 1, behave: auto}}
receivers: {erp: {events: [alert.*, muster.*]}}
steps:
  - start_muster: {kind: general, by: Shift lead}
    after: 30s
  - wait: ${MINUTES}m
`;

unless(withoutWhole).test(`${PEOPLE} people for ${MINUTES} minutes fit into ${MOST_BYTES / 1e6} MB`, async () => {
  const report = await reported(SCENARIO);
  expect(report.seen.tracks).toHaveLength(PEOPLE);
  expect(report.result.simulatedMs).toBeGreaterThanOrEqual(MINUTES * 60_000);
  expect(Buffer.byteLength(htmlReport(report))).toBeLessThan(MOST_BYTES);
});
