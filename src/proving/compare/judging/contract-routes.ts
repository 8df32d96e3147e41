/** The operations of the contract, for judging answers and for making requests. [spec 4, decisions 1] */
import { CONTRACT_OPERATIONS, operationAt } from '../../../contract/operations/all.ts';
import type { Operation } from '../../../contract/operations/operation.ts';

/** Parameters that divide a list into pages, and are not filters. [decisions 1] */
export const PAGE_PARAMETERS: readonly string[] = ['limit', 'cursor'];

export const parametersIn = ({ query }: Operation): string[] => Object.keys(query?.properties ?? {});

/** Names of the filters of a list. */
export const filtersIn = (operation: Operation): string[] =>
  parametersIn(operation).filter((name) => !PAGE_PARAMETERS.includes(name));

export const routeOf = ({ method, path }: { readonly method: string; readonly path: string }): Operation | undefined =>
  operationAt(method, path, CONTRACT_OPERATIONS);
