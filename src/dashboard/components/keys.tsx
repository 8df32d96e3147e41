/** Which component takes a key: the open sheet, else the focused pane, else the whole dashboard. */

import { useInput } from 'ink';
import { createContext, useContext } from 'react';
import { isPaneKey, keyNamesOf } from '../keys.ts';
import type { DashboardView, Pane } from '../view.ts';

/** Takes the name of a key; frames that are only printed take none. */
export const KeyContext = createContext<((key: string) => void) | null>(null);

/** Keys in names of the key map that `claims` accepts, while `isActive`. */
function useKeys(isActive: boolean, claims: (key: string) => boolean): void {
  const onKey = useContext(KeyContext);
  useInput(
    (input, key) => {
      for (const name of keyNamesOf(input, key)) if (claims(name)) onKey?.(name);
    },
    { isActive: isActive && onKey !== null },
  );
}

/** A sheet over the panes, or the filter, takes every key. */
const isModal = ({ question, isHelpOpen, isFiltering }: DashboardView): boolean =>
  question !== null || isHelpOpen || isFiltering;

/** The keys of a pane, while it has the focus. */
export function usePaneKeys(pane: Pane, view: DashboardView): void {
  useKeys(view.pane === pane && !isModal(view), (key) => isPaneKey(pane, key));
}

/** Keys of no pane; Ctrl-C and Ctrl-Z work under a sheet too. */
export function useDashboardKeys(view: DashboardView): void {
  const isCovered = isModal(view);
  useKeys(true, (key) => isAlways(key) || (!isCovered && !isPaneKey(view.pane, key)));
}

/** Every key, for a sheet. */
export const useSheetKeys = (isActive: boolean): void => useKeys(isActive, (key) => !isAlways(key));

const isAlways = (key: string): boolean => key === 'ctrl-c' || key === 'ctrl-z';
