/** The operations of the published document, as the pages of the reference have them. */
import type { OpenApi, PathItem, PublishedOperation } from '../openapi/document.ts';

export interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: PublishedOperation;
}

/** The operations of one tag. */
export interface OperationGroup {
  readonly name: string;
  readonly description: string;
  readonly members: readonly DocumentedOperation[];
}

const SANDBOX = 'Sandbox';

export const isOfSandbox = ({ operation }: DocumentedOperation): boolean => operation.tags[0] === SANDBOX;

export function groupsOf({ tags, paths }: OpenApi): readonly OperationGroup[] {
  const operations = placed(paths);
  return tags.map((tag) => ({ ...tag, members: operations.filter(({ operation }) => operation.tags[0] === tag.name) }));
}

export function placed(paths: Readonly<Record<string, PathItem>>): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

/** The id of a heading. */
export const idOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');
