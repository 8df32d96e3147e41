/** The root component: the store's state as a frame, and Ink's keys in names of the key map. */
import { useInput } from 'ink';
import { type ReactNode, useSyncExternalStore } from 'react';
import { keyNamesOf } from '../keys.ts';
import type { DashboardState, DashboardStore } from '../store.ts';
import type { Theme } from '../theme.ts';
import { Frame } from './frame.tsx';

export interface AppProps {
  readonly store: DashboardStore;
  readonly themeOf: (state: DashboardState) => Theme;
  readonly onKey: (key: string) => void;
}

export function App({ store, themeOf, onKey }: AppProps): ReactNode {
  const state = useDashboard(store);
  useInput((input, key) => {
    for (const name of keyNamesOf(input, key)) onKey(name);
  });
  return <Frame {...state} theme={themeOf(state)} />;
}

/** The state of the last frame. */
export const useDashboard = (store: DashboardStore): DashboardState =>
  useSyncExternalStore(store.subscribe, store.frame);
