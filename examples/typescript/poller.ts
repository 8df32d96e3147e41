/** Fills gaps: fetches what no delivery brought from `GET /v1/events`, at the start and every minute. */
import type { ServiceEvent } from './receiver.ts';

const { SANDBOX_API_URL: api = '', SANDBOX_CLIENT_ID: id = '', SANDBOX_CLIENT_SECRET: secret = '' } = process.env;
const EVERY_S = Number(process.env['POLL_SECONDS'] ?? 60);

const wait = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000));

let token: string | null = null;

async function newToken(): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const answer = await fetch(`${api}/v1/oauth/token`, { method: 'POST', body });
  if (!answer.ok) throw new Error(`No token: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** One GET: a token that has ended is renewed once, and a limit is waited for. */
async function get(path: string): Promise<unknown> {
  let renewed = false;
  for (;;) {
    token ??= await newToken();
    const answer = await fetch(`${api}${path}`, { headers: { authorization: `Bearer ${token}` } });
    if (answer.ok) return answer.json();
    await answer.body?.cancel();
    if (answer.status === 401 && !renewed) {
      [token, renewed] = [null, true];
    } else if (answer.status === 429) {
      await wait(Number(answer.headers.get('retry-after') ?? 1));
    } else throw new Error(`GET ${path}: ${answer.status}`);
  }
}

/** `since`: the `created_at` of the last event that your database holds; at the very first start null, for the last 30 days. */
export async function pollEvents(take: (event: ServiceEvent) => void, since: string | null = null): Promise<never> {
  let last = since;
  for (;;) {
    try {
      const query = new URLSearchParams({ limit: '200', ...(last === null ? {} : { created_after: last }) });
      for (let cursor: string | null = ''; cursor !== null; ) {
        if (cursor !== '') query.set('cursor', cursor);
        const page = (await get(`/v1/events?${query}`)) as { data: ServiceEvent[]; next_cursor: string | null };
        for (const event of page.data) take(event);
        last = page.data.at(-1)?.created_at ?? last;
        cursor = page.next_cursor;
      }
    } catch (error) {
      console.error(`Events are fetched again in ${EVERY_S} s: ${(error as Error).message}`);
    }
    await wait(EVERY_S);
  }
}
