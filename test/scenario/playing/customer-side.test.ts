/** The customer's side of a scenario against a whole sandbox: calls, tokens, destinations, and receivers that misbehave. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { AlertEvent } from '../../../src/contract/events.ts';
import { bootStage } from '../../../src/sandbox/boot.ts';
import { ownReceivers } from '../../../src/scenario/customer/destinations.ts';
import type { PlannedReceiver } from '../../../src/scenario/model/scenario.ts';
import type { Boot, RunStage } from '../../../src/scenario/playing/ports.ts';
import { unless } from '../../helpers/unless.ts';
import { withoutWhole } from '../../helpers/whole.ts';
import { failuresOf, playWhole, wholeScenario } from '../whole-stage.ts';

describe('a call of the customer’s own system', () => {
  test('is judged by its status, code, body and headers, with names in its path, query and body', async () => {
    expect(
      await failuresOf(`
      - sos: {who: ana}
        as: sos
      - api: {get: /v1/alerts/$sos.id, answers: {status: 200, body: {type: sos, worker: ana}, headers: {content-type: /json/}}}
      - api: {get: /v1/alerts, query: {worker_id: $sos.worker, limit: 1}, answers: {status: 200, body: {data: {contains: {id: $sos.id}}}}}
        as: page
      - check: {alert: $sos, status: unacknowledged}
      - api: {patch: /v1/alerts/$sos, body: {status: acknowledged, actor: {name: Desk 2}}, answers: {status: 200, body: {status: acknowledged}}}
      - expect: {event: alert.acknowledged, about: $sos}
      - api: {patch: /v1/alerts/$sos, body: {status: acknowledged, note: x}, answers: {status: 422, code: validation_failed}}
      - api: {post: /v1/webhooks, body: {url: "http://127.0.0.1/", event_types: [alert.*]}, answers: {status: 422, code: invalid_destination_url}}
      `),
    ).toEqual([]);
  });

  test('can come with no token, one that is expired or revoked, and one that lacks the scope', async () => {
    expect(
      await failuresOf(`
      - api: {get: /v1/alerts, token: none, answers: {status: 401, code: invalid_token}}
      - api: {get: /v1/alerts, token: expired, answers: {status: 401, code: invalid_token, body: {detail: /expired/}}}
      - api: {get: /v1/alerts, token: revoked, answers: {status: 401, body: {detail: /revoked/}}}
      - api: {get: /v1/workers, token: narrow, answers: {status: 403, code: insufficient_scope}}
      - api: {get: /v1/workers, scope: "workers:read", answers: {status: 200}}
      - api: {get: /v1/alerts, scope: "workers:read", answers: {status: 403}}
      - token: {revoke: customer}
      - api: {get: /v1/alerts, answers: {status: 200}}
      - check: {request: GET /v1/alerts, status: 200}
      `),
    ).toEqual([]);
  });

  test('a call whose request for a token is limited says so', async () => {
    const [text] = await failuresOf(`
      - limits: {company: customer, requests_per_minute: 2}
      - api: {get: /v1/sites, times: 2}
      - api: {get: /v1/workers, scope: "workers:read", answers: {status: 200}}
    `);
    expect(text).toMatch(/status +expected 200 +got 429/);
    expect(text).toContain('the call was not made: the token endpoint answered this');
  });

  test.each([
    ['the only one of its client', 'alerts:read', 'get: /v1/alerts'],
    ['one of two', 'alerts:read, workers:read', 'get: /v1/workers'],
    ['either of those that the client has', 'alerts:read, musters:read', 'get: /v1/events'],
    ['to manage destinations, and the only one', 'webhooks:manage', 'get: /v1/webhooks'],
  ])('is refused where its token lacks the scope, %s, and only that call is', async (_what, scopes, call) => {
    const text = wholeScenario(
      `
      - api: {${call}, token: narrow, answers: {status: 403, code: insufficient_scope}}
      - api: {${call}, answers: {status: 200}}
      - api: {${call}, token: narrow, times: 2, answers: {status: 403}}
      - api: {post: /v1/webhooks, token: narrow, body: {}, answers: {status: 403}}
      `,
    )
      .replace('contract: {', `contract: {scopes: [${scopes.replaceAll(/[a-z]+:[a-z]+/g, '"$&"')}], `)
      .replace(/receivers: .*\n/, '');
    const { failures } = await playWhole(text);
    expect(failures).toEqual([]);
  });

  test('a call with an unexpected answer fails with path, expected, got, and the API’s own words', async () => {
    const [failure] = await failuresOf('- api: {get: /v1/alerts/nope, answers: {status: 200, body: {type: sos}}}');
    expect(failure).toMatch(/✗ short.scenario.yaml:15 {2}api GET \/v1\/alerts\/nope/);
    // Each row of the table is a line of its own.
    expect(failure).toMatch(/\n {4}status +expected 200 +got 404\n/);
    expect(failure).toMatch(/status +expected 200 +got 404/);
    expect(failure).toContain('the API says: There is no such');
  });

  test('is one of its company', async () => {
    const rest = `companies:
  other:
    sites: {North: {origin: [44, -8], zones: {Yard: {type: work_area, box: [0, 0, 50, 50]}}}}
    contract: {include_worker_names: false}
    workers: {zoe: {in: Yard}}`;
    expect(
      await failuresOf(
        `
      - sos: {who: zoe}
        as: sos
      - api: {get: /v1/alerts/$sos, company: other, answers: {status: 200, body: {title: /zoe in Yard/}}}
      - api: {get: /v1/alerts/$sos, answers: {status: 404, code: not_found}}
      - api: {get: /v1/sites, company: other, answers: {status: 200, body: {data: [{name: North}]}}}
      - limits: {company: other, requests_per_minute: 3}
      - api: {get: /v1/sites, company: other, times: 2, answers: {status: 429, code: rate_limited, headers: {Retry-After: any}}}
      - expect: {request: GET /v1/sites, company: other, status: 429}
      - check: {request: GET /v1/sites, company: customer, count: 0}
      - api: {get: /v1/sites, answers: {status: 200}}
      `,
        rest,
      ),
    ).toEqual([]);
  });
});

describe('a built-in receiver', () => {
  test.each([
    ['503', 'status: 503'],
    ['302', 'status: 302'],
    ['redirect', 'status: 302'],
    ['reset', 'status: null'],
    ['lost_answer', 'status: null'],
    ['garbage', 'status: null'],
    ['refuse', 'status: null'],
  ])('a receiver that does %s fails, and has the event 10 s later', async (does, seen) => {
    expect(
      await failuresOf(`
      - receiver: {name: erp, does: ${does}}
        for: 5s
      - sos: {who: ana}
      - expect: {delivery: erp, event: alert.created, result: waiting, tries: 1, ${seen}}
        within: 1s
      - expect: {destination: erp, failing_since: any, is_active: true}
      - expect: {delivery: erp, result: delivered, tries: 2, offsets: [0s, 10s]}
        within: 11s
      - expect: {destination: erp, failing_since: null}
      `),
    ).toEqual([]);
  });

  test.each(['slow', 'hang'])('a receiver that does %s costs 5 s of simulated time, not of wall time', async (does) => {
    const result = await playWhole(
      wholeScenario(`
      - receiver: {name: erp, does: [${does}, ok]}
      - sos: {who: ana}
      - expect: {delivery: erp, result: waiting, tries: 1}
        within: 5s..5s
      - expect: {delivery: erp, result: delivered, tries: 2}
        within: 6s
      `),
    );
    expect(result.failures).toEqual([]);
    expect(result.simulatedMs).toBe(10_000);
  });

  test('takes its time within the limit', async () => {
    expect(
      await failuresOf(`
      - receiver: {name: erp, does: ok, delay: 4s}
      - sos: {who: ana}
      - expect: {delivery: erp, result: delivered, tries: 1}
        within: 4s..4s
      `),
    ).toEqual([]);
  });

  test('answers a list in turn, and the last of it stays', async () => {
    expect(
      await failuresOf(`
      - receiver: {name: erp, does: [503, 500, 200]}
      - sos: {who: ana}
      - expect: {delivery: erp, status: 503, tries: 1}
      - expect: {delivery: erp, status: 500, tries: 2}
        within: 11s
      - expect: {delivery: erp, status: 200, tries: 3}
        within: 31s
      - fall: {who: luis}
      - expect: {delivery: erp, status: 200, tries: 1}
      `),
    ).toEqual([]);
  });
});

describe('a destination', () => {
  test('is rotated, tested, deleted with what waits for it, and made again', async () => {
    expect(
      await failuresOf(`
      - webhook: {test: erp}
      - expect: {delivery: erp, event: alert.created, result: delivered, signatures: 1}
      - webhook: {rotate_secret: erp}
      - webhook: {test: erp}
      - expect: {delivery: erp, event: alert.created, result: delivered, signatures: 2}
      - webhook: {create: erp}
        refused: true
      - receiver: {name: erp, does: 503}
        for: 30s
      - sos: {who: ana}
      - expect: {delivery: erp, result: waiting, tries: 1}
      - webhook: {delete: erp}
      - expect: {delivery: erp, result: dropped}
      - webhook: {test: erp}
        refused: true
      - fall: {who: luis}
      - never: {delivery: erp}
        for: 1m
      - webhook: {create: erp}
      - call_request: {who: luis}
      - expect: {delivery: erp, result: delivered, signatures: 1}
      `),
    ).toEqual([]);
  });

  unless(
    withoutWhole,
  ).test('a destination that lost deliveries causes an e-mail to the technical contact, one for ten minutes', async () => {
    expect(
      await failuresOf(`
      - receiver: {name: erp, does: 503}
      - sos: {who: ana}
      - expect: {event: alert.created}
        as: first
      - call_request: {who: luis}
        after: 1m
      - expect: {event: alert.created, of: luis}
        as: second
      - expect: {mail: safety@small.example, subject: 1 event, text: $first.id}
        within: 24h1m
      - expect: {mail: any, text: $second.id}
        within: 10m
      - check: {delivery: erp, event: $second, result: lost}
      - api: {get: /v1/events, query: {created_after: $first.created_at, limit: 1}, answers: {body: {data: [{id: $first.id}]}}}
      `),
    ).toEqual([]);
  });

  test('can be the user’s own receiver, over real HTTP', async () => {
    const paths: string[] = [];
    const server = createServer((request, response) => {
      paths.push(`${request.method} ${request.url}`);
      request.resume().on('end', () => response.writeHead(202).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?x=1`;
    const text = wholeScenario('- sos: {who: ana}\n- expect: {delivery: erp, result: delivered, status: 202}');
    const result = await playWhole(text, { receivers: new Map([['erp', url]]) });
    expect(result.failures).toEqual([]);
    expect(paths).toEqual(['POST /hook?x=1']);
    const reported = await playWhole(wholeScenario('- receiver: {name: erp, does: 503}'), {
      receivers: new Map([['erp', url]]),
    });
    expect(reported.failures[0]?.text).toContain('erp is your own receiver: it answers as it does.');
  });
});

describe('the user’s own receiver that verifies', () => {
  const verifying = async () => {
    const secret = { now: '' };
    const refused: string[] = [];
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { 'x-service-timestamp': at, 'x-service-signature': given = '' } = request.headers;
      const v1 = createHmac('sha256', secret.now).update(`${at}.`).update(Buffer.concat(chunks)).digest('hex');
      const isValid = String(given).includes(`v1=${v1}`);
      if (!isValid) refused.push(String(given));
      response.writeHead(isValid ? 204 : 401).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, secret, refused };
  };
  const secretFor = (company: string, url: string) =>
    ownReceivers([{ name: 'erp', company, url } as PlannedReceiver])[0]?.secret ?? '';

  test('needs one secret for every seed, order, place in the file and time', async () => {
    const { url, secret, refused } = await verifying();
    secret.now = secretFor('customer', url);
    const play = (steps: string, seed: string, shufflesTies = false) =>
      playWhole(wholeScenario(`${steps}- sos: {who: ana}\n- expect: {delivery: erp, result: delivered, status: 204}`), {
        receivers: new Map([['erp', url]]),
        seed,
        ...(shufflesTies ? { order: 1, shufflesTies } : {}),
      });
    const again = '- webhook: {delete: erp}\n- wait: 10m\n- webhook: {create: erp}\n';
    for (const { failures } of [await play('', '1'), await play('', '2', true), await play(again, '3')])
      expect(failures).toEqual([]);
    expect(refused).toEqual([]);
  });

  test('accepts what a rotated secret signs, and that secret too is the same in each run', async () => {
    const { url, secret } = await verifying();
    secret.now = secretFor('customer', url);
    const rotated: string[] = [];
    const boot: Boot = (request) =>
      bootStage({
        ...request,
        ownReceiverSecret: (...of) => {
          const made = request.ownReceiverSecret(...of);
          if (of[2] !== undefined) rotated.push(made ?? '');
          return made;
        },
      });
    for (const seed of ['1', '2']) {
      const steps =
        '- webhook: {rotate_secret: erp}\n- sos: {who: ana}\n- expect: {delivery: erp, signatures: 2, status: 204}';
      const receivers = new Map([['erp', url]]);
      expect((await playWhole(wholeScenario(steps), { receivers, seed, boot })).failures).toEqual([]);
    }
    expect(rotated).toEqual([expect.stringMatching(/^whsec_/), rotated[0]]);
    expect(rotated).not.toContain(secret.now);
  });

  test('of another company or at another address has another secret', () => {
    const at = 'http://127.0.0.1:3000/hook';
    const others = [secretFor('customer', at), secretFor('other', at), secretFor('customer', `${at}2`)];
    expect(new Set(others).size).toBe(3);
    expect(secretFor('customer', 'http://127.0.0.1:3000')).toBe(secretFor('customer', 'http://127.0.0.1:3000/'));
  });
});

describe('a receiver that calls back', () => {
  test('is waited for in a fast run, so that each run of it is the same', async () => {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.writeHead(204).end();
        const { type, data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as AlertEvent;
        if (type === 'alert.created') void acknowledge(data.alert.id);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    let stage: RunStage | null = null;
    const boot: Boot = async (request) => {
      stage = await bootStage(request);
      return stage;
    };
    /** A client with its own HTTP, as the user's would be. */
    async function acknowledge(id: string): Promise<void> {
      const { apiUrl, clients } = stage as unknown as RunStage;
      const [client] = clients;
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: client!.clientId,
        client_secret: client!.clientSecret,
      });
      const { access_token } = (await (
        await fetch(`${apiUrl}/v1/oauth/token`, { method: 'POST', body: form })
      ).json()) as { access_token: string };
      const body = JSON.stringify({ status: 'acknowledged', actor: { name: 'Own system' } });
      const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
      await fetch(`${apiUrl}/v1/alerts/${id}`, { method: 'PATCH', headers, body });
    }
    const text = wholeScenario(`
      - sos: {who: ana}
        as: sos
      - expect: {request: PATCH /v1/alerts/$sos, status: 200}
        within: 1s
      - expect: {event: alert.acknowledged, about: $sos}
        within: 1s
    `).replace('erp: {events: [alert.*, muster.*]}', `erp: {events: [alert.created], calls_back: true, url: "${url}"}`);
    const [one, two] = [await playWhole(text, { boot }), await playWhole(text, { boot })];
    expect(one.failures).toEqual([]);
    expect(two.logSha256).toBe(one.logSha256);
  });
});

describe('what checks see of people and watches', () => {
  test('is what a client would get, and what stands on the screen', async () => {
    expect(
      await failuresOf(`
      - expect: {position: ana, visible: true, masked: false, location: {source: gps}}
      - expect: {worker: luis, is_active: true, external_id: luis}
      - expect: {device: ana, battery: any, worn: true}
      - check: {watch: ana, shows: nothing}
      - fall: {who: ana}
      - expect: {watch: ana, shows: prompt}
        within: 1s
      - expect: {watch: ana, shows: alert, type: sos, status: unacknowledged}
        within: 31s
      - enter: {who: luis, zone: Canteen}
      - expect: {position: luis, masked: true, location: {source: zone}}
        within: 15s
      - privacy: {site: Small plant, mode: on_demand, unveil_min_severity: high}
      - expect: {position: luis, visible: false}
      - expect: {position: ana, visible: true}
      - unveil: {who: luis, by: Lead, duration: 1m}
      - expect: {position: luis, visible: true}
      - expect: {position: luis, visible: false}
        within: 60s..62s
      - device: {who: luis, status: maintenance}
      - expect: {device: luis, status: maintenance}
      - worker: {who: luis, role: Rigger}
      - expect: {worker: luis, role: Rigger}
      `),
    ).toEqual([]);
  });

  test('and a wrong one fails with what it is instead', async () => {
    const [failure] = await failuresOf('- check: {watch: ana, shows: prompt}');
    expect(failure).toMatch(/shows +expected prompt +got nothing/);
    const [hidden] = await failuresOf('- check: {position: ana, visible: false}');
    expect(hidden).toMatch(/visible +expected false +got true/);
  });
});

describe('faults', () => {
  test('of deliveries: doubled, held back, shuffled; and over when their time is', async () => {
    expect(
      await failuresOf(`
      - deliveries: {to: erp, duplicate: 3}
        for: 10s
      - sos: {who: ana}
        as: sos
      - expect: {deliveries: erp, count: 3}
        within: 5s
      - acknowledge: {alert: $sos, by: Desk}
        at: 20s
      - expect: {deliveries: erp, order: [alert.acknowledged]}
      - deliveries: {to: erp, hold: 2m}
        for: 1m
      - press_ack: {who: ana}
      - expect: {delivery: erp, event: alert.worker_acknowledged, tries: 1, offsets: [2m]}
        within: 119s..121s
      - deliveries: {to: erp, shuffle: 30s}
      - resolve: {alert: $sos, by: Desk}
      - expect: {delivery: erp, event: alert.resolved, tries: 1}
        within: 30s
      `),
    ).toEqual([]);
  });

  test('of the API: a share or all of it fails, or comes late, and other paths go on', async () => {
    expect(
      await failuresOf(`
      - api_fault: {status: 503, path: /v1/alerts}
        for: 1m
      - api: {get: /v1/alerts, answers: {status: 503, code: storage_unavailable}}
      - api: {get: /v1/sites, answers: {status: 200}}
      - wait: 1m
      - api: {get: /v1/alerts, answers: {status: 200}}
      - api_fault: {status: 502, share: 0.5}
      - api: {get: /v1/sites, times: 40}
      - expect: {request: GET /v1/sites, status: 502, count: 5..35}
      - api_fault: {share: 0}
      - api: {get: /v1/sites, times: 5, answers: {status: 200}}
      - api_fault: {slow: 20ms}
      - api: {get: /v1/sites, answers: {status: 200}}
      `),
    ).toEqual([]);
  });

  test('of the broker: watches are gone while it is down, and come back by themselves', async () => {
    expect(
      await failuresOf(`
      - broker: {does: stop}
      - sos: {who: ana}
      - never: {alert: sos}
        for: 1m
      - broker: {does: start}
      - expect: {alert: sos, of: ana}
        within: 5m
      - broker: {does: drop_clients, who: luis}
      - call_request: {who: luis}
      - expect: {alert: worker_call_request, of: luis}
        within: 3m
      - broker: {does: stop}
        for: 30s
      - wait: 3m
      - call_request: {who: ana}
      - expect: {alert: worker_call_request, of: ana}
      `),
    ).toEqual([]);
  });

  test('of contract and limits: names go with the contract, and an SOS is refused to nobody', async () => {
    expect(
      await failuresOf(`
      - contract: {include_worker_names: false}
      - panel_sos: {who: ana, by: Desk 2}
        as: sos
      - expect: {alert: $sos, details: {trigger: control_room}, title: "SOS: ana in Dock"}
      - contract: {scopes: [alerts:read]}
      - api: {get: /v1/workers, answers: {status: 403}}
      - answer: {who: luis, with: ok}
        refused: true
      `),
    ).toEqual([]);
  });
});
