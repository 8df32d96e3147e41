/** How the builds of `deviations.ts` change true answers: each object of a kind, a list, a header. */
import type { Body, Patch, TrueAnswer } from './deviating-service.ts';

export interface Deviating {
  readonly name: string;
  /** The clause that the report has to name, and no other. */
  readonly clause: string;
  /** The open point that allows it: it is the row of the report, in the place of the clause. */
  readonly point?: string;
  /** Written from the specification alone. */
  readonly from: 'spec' | 'decisions';
  readonly patch: Patch;
}

/** Each object of the kind, in lists, alone, and in events. */
export const each =
  (path: RegExp, change: (object: Body) => void): Patch =>
  (answer) => {
    if (answer.status !== 200 || !path.test(answer.path) || answer.body === undefined) return undefined;
    const { body } = answer;
    for (const object of Array.isArray(body?.data) ? body.data : [body]) change(object);
    return { body };
  };

export const alerts =
  (change: (alert: Body) => void): Patch =>
  (answer) =>
    each(/^\/v1\/alerts/, change)(answer) ??
    each(/^\/v1\/events$/, ({ data }) => {
      if (data.alert !== undefined) change(data.alert);
    })(answer);
export const musters =
  (change: (muster: Body) => void): Patch =>
  (answer) =>
    each(/^\/v1\/musters(\/[^/]+)?$/, change)(answer) ??
    each(/^\/v1\/events$/, ({ data }) => {
      if (data.muster !== undefined) change(data.muster);
    })(answer);
export const list =
  (path: string, change: (data: Body[], answer: TrueAnswer) => Body[] | undefined): Patch =>
  (answer) => {
    if (answer.status !== 200 || answer.path !== path || answer.method !== 'GET') return undefined;
    const data = change(answer.body.data, answer);
    return data === undefined ? undefined : { body: { ...answer.body, data } };
  };
export const header =
  (fits: (answer: TrueAnswer) => boolean, name: string, value: string | null): Patch =>
  (answer) => {
    if (!fits(answer)) return undefined;
    const { [name]: _, ...headers } = answer.headers;
    return { headers: value === null ? headers : { ...headers, [name]: value } };
  };
/** The true answer of another query in the place of a refusal needs no server: an empty page is one too. */
export const EMPTY = { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } };

export function spec(name: string, clause: string, patch: Patch, point?: string): Deviating {
  return { name, clause, from: 'spec', patch, ...(point === undefined ? {} : { point }) };
}

export function decided(name: string, clause: string, patch: Patch, point?: string): Deviating {
  return { name, clause, from: 'decisions', patch, ...(point === undefined ? {} : { point }) };
}

/** The list without any filter in the place of the filtered one. */
export function ignored(path: string, name: string): Patch {
  let whole: Body[] = [];
  return list(path, (data, { query }) => {
    const names = [...query.keys()].filter((one) => one !== 'limit');
    if (names.length === 0 && data.length > whole.length) whole = data;
    return names.length === 1 && names[0] === name ? whole : undefined;
  });
}

/** An empty list in the place of the filtered one. */
export const emptied = (path: string, name: string): Patch =>
  list(path, (_data, { query }) => (query.has(name) ? [] : undefined));
