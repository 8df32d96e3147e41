/** The requests of a comparison as a proxy sees them pass, and what it finds in them, and what its HAR gives afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CheckRequest, ComparedService } from '../../../src/proving/compare/checks.ts';
import type { ApiExchange, Traffic } from '../../../src/proving/compare/exchange.ts';
import { ContractJudge } from '../../../src/proving/compare/judging/judge.ts';
import type { PassedExchange } from '../../../src/proving/compare/proxy/forwarding-server.ts';
import { HarFile } from '../../../src/proving/compare/proxy/har-file.ts';
import { callOf } from '../../../src/proving/compare/proxy/proxy-judge.ts';
import { readRecording } from '../../../src/proving/compare/recorded.ts';
import { groupedDeviations } from '../../../src/proving/compare/report.ts';
import { TokenHolders } from '../../../src/proving/compare/token-holders.ts';

const BEGIN = Date.parse('2026-11-01T00:00:00Z');

/** `place`: how many passed before it. The token is made up: the same one for the same scopes. */
export function passedAs(
  request: CheckRequest,
  { status, headers, body }: ApiExchange,
  { credentials }: ComparedService,
  place: number,
): PassedExchange {
  const { method, path, query, scope = 'all', token, form, json, hasCredentials } = request;
  const target = `${path}${query === undefined ? '' : `?${query}`}`;
  const authorization = token === 'none' ? [] : [['Authorization', `Bearer ${token === 'wrong' ? 'nobody' : scope}`]];
  const sent =
    json ?? (form && new URLSearchParams({ ...form, ...(hasCredentials ? credentials : {}) }).toString()) ?? '';
  return {
    method,
    url: `https://api.example.com${target}`,
    target,
    sentHeaders: authorization as [string, string][],
    sent: Buffer.from(sent),
    status,
    headers: Object.entries(headers),
    body: Buffer.from(body),
    startedAt: BEGIN + 1_000 * place,
    tookMs: 10,
    isWhole: true,
  };
}

/** The clauses that a proxy names: one for each row of its report. */
export function judgedByProxy(passed: readonly PassedExchange[]): string[] {
  const holders = new TokenHolders();
  return clausesIn(passed.map((one) => callOf(one, holders)).filter((one) => one !== undefined));
}

/** The clauses that `compare --recorded` names in the HAR of the proxy. */
export function judgedInHar(passed: readonly PassedExchange[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'passed-'));
  try {
    const har = new HarFile(join(folder, 'session.har'), 'test');
    for (const one of passed) har.add(one);
    har.close();
    return clausesIn(readRecording(join(folder, 'session.har')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function clausesIn(traffic: readonly Traffic[]): string[] {
  const judge = new ContractJudge({ secrets: [] });
  const deviations = traffic.flatMap((one) => judge.add(one));
  return groupedDeviations(deviations, { isRedacted: false, known: new Set() }).map(({ clause }) => clause);
}
