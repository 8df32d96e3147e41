/**
 * The declaration of an operation of the API: method, path, access, schemas and texts, without what handles it. Server,
 * OpenAPI, clients and judges read the same declarations. [spec 7, decisions 2]
 */
import type { TObject, TSchema } from 'typebox';
import type { Scope } from '../enumerations.ts';
import type { ProblemCode } from '../problems.ts';

/**
 * The token endpoint, the only operation of OAuth: its errors have RFC 6749's shape, and it accepts forms. [decisions 2, 3]
 */
export const TOKEN_PATH = '/v1/oauth/token';

/** `any`: any valid token of a client; `events`: alerts:read or musters:read; `sandbox`: a client's token or the control token. */
export type Access = Scope | 'any' | 'events' | 'sandbox' | 'control' | 'none';

/** The resource groups of the reference. [spec 1] */
export const TAGS = [
  'Authentication',
  'Sites',
  'Alerts',
  'Musters',
  'Workers and devices',
  'Positions',
  'Events',
  'Webhooks',
  'Sandbox',
] as const;
export type Tag = (typeof TAGS)[number];

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly access: Access;
  /** With `sandbox`: the scope that a client's token needs. [decisions 9] */
  readonly clientScope?: Scope;
  /** May be called by a page of the panel with `?ticket=`. [decisions 10] */
  readonly takesTicket?: true;
  /** The operation's name in generated clients. */
  readonly operationId: string;
  readonly tag: Tag;
  readonly summary: string;
  /** Markdown, beyond the summary. */
  readonly description: string;
  /** Problems of the handler itself; the others follow from the declaration (`refusals.ts`). */
  readonly problems?: readonly ProblemCode[];
  /** For a body that the handler parses itself: its published description. */
  readonly reads?: { readonly media: readonly string[]; readonly schema: () => TSchema };
  readonly query?: TObject;
  readonly body?: TSchema;
  /** Media type of a success; default: JSON. */
  readonly media?: string;
  /** The schema of the body by success status, or null if there is no body. */
  readonly answers: Readonly<Record<number, TSchema | null>>;
}

export const operation = (
  method: Operation['method'],
  path: string,
  access: Access,
  rest: Omit<Operation, 'method' | 'path' | 'access'>,
): Operation => ({ method, path, access, ...rest });
