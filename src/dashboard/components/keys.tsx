/** Decides which component handles a key: the open sheet, else the focused pane, else the whole dashboard. */

import { useInput } from 'ink';
import { createContext, useContext } from 'react';
import { isPaneKey, keyNamesOf } from '../keys.ts';
import type { DashboardView, Pane } from '../view.ts';

/** Handles a key, given by its name in the key map; null for frames that are only printed. */
export const KeyContext = createContext<((key: string) => void) | null>(null);

/** Handles the keys that `claims` accepts, while `isActive`. Names are those of the key map. */
function useKeys(isActive: boolean, claims: (key: string) => boolean): void {
  const onKey = useContext(KeyContext);
  useInput(
    (input, key) => {
      for (const name of keyNamesOf(input, key)) if (claims(name)) onKey?.(name);
    },
    { isActive: isActive && onKey !== null },
  );
}

/** Returns true if a sheet over the panes, or the filter, handles every key. */
const isModal = ({ question, isHelpOpen, isFiltering }: DashboardView): boolean =>
  question !== null || isHelpOpen || isFiltering;

/** The keys of a pane, while it has the focus. */
export function usePaneKeys(pane: Pane, view: DashboardView): void {
  useKeys(view.pane === pane && !isModal(view), (key) => isPaneKey(pane, key));
}

/** The keys that belong to no pane; Ctrl-C and Ctrl-Z also work under a sheet. */
export function useDashboardKeys(view: DashboardView): void {
  const isCovered = isModal(view);
  useKeys(true, (key) => isAlways(key) || (!isCovered && !isPaneKey(view.pane, key)));
}

/** A sheet handles every key. */
export const useSheetKeys = (isActive: boolean): void => useKeys(isActive, (key) => !isAlways(key));

const isAlways = (key: string): boolean => key === 'ctrl-c' || key === 'ctrl-z';
