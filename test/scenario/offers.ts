/** What each shipped scenario offers to a user's system with its own receiver, measured by playing it with one. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { plannedRuns } from '../../src/cli/run/plan.ts';
import { Event } from '../../src/contract/events.ts';
import type { SchemaNode } from '../../src/contract/schema.ts';
import { bootStage } from '../../src/sandbox/boot.ts';
import { runFile } from '../../src/scenario/playing/run-file.ts';
import { loadScenario } from '../../src/scenario/reading/load.ts';
import { CompanyCoverage } from '../../src/service/api/coverage/company.ts';
import { shippedScenarios } from './coverage.ts';

const EVENT = Event as SchemaNode;
const MET = { at: 0, by: 'the event log' };

/** The receiver that the command of the next step names. */
const RECEIVER = 'erp';

/**
 * The items that the scenario offers in all its cases, without absent values: of these, each scenario has many. Null if it has no
 * receiver of this name, or does not pass with the user's own, for example because it lets the receiver fail.
 */
export async function offeredBy(name: string): Promise<string[] | null> {
  const file = shippedScenarios().find((one) => one.name === name)?.file ?? name;
  const loaded = loadScenario(file);
  if (loaded.ok && !loaded.scenario.receivers.some((one) => one.name === RECEIVER)) return null;
  const own = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
  try {
    return await offeredTo(file, `http://127.0.0.1:${(own.address() as AddressInfo).port}/hook`);
  } finally {
    own.close();
  }
}

async function offeredTo(file: string, url: string): Promise<string[] | null> {
  const items = new Set<string>();
  const polled = new CompanyCoverage();
  const plan = { named: [file], set: {}, cases: [], seeds: [], seed: undefined, order: 0 };
  for (const { values } of plannedRuns({ files: [file], ...plan, shufflesTies: false, orders: null })) {
    const { verdict } = await runFile(file, {
      mode: 'fast',
      values: values ?? undefined,
      receivers: new Map([[RECEIVER, url]]),
      sink: () => {},
      boot: async (request) => {
        const stage = await bootStage(request);
        // A client that polls reads the events of the log, also without a receiver.
        stage.onNotice((notice) => {
          if (notice.kind === 'event-occurred' && notice.listed) polled.read(EVENT, notice.event, MET);
        });
        return stage;
      },
      onCoverage: ({ companies }) => {
        for (const { id } of companies.flatMap(({ met }) => met)) items.add(id);
      },
    });
    if (verdict !== 'passed') return null;
  }
  for (const id of polled.met.keys()) items.add(id);
  return [...items].filter((id) => !id.startsWith('absence/')).toSorted();
}
