/** The first row: site, muster, clock, and the badges that every terminal size must show. */

import type { ReactNode } from 'react';
import { titleLine } from '../panes/banner.ts';
import type { Connection, DashboardScene, DashboardView } from '../view.ts';
import { Row, useTheme } from './look.tsx';

interface TitleBarProps {
  readonly scene: DashboardScene;
  readonly view: DashboardView;
  readonly connection: Connection;
  readonly columns: number;
}

export function TitleBar({ scene, view, connection, columns }: TitleBarProps): ReactNode {
  return <Row line={titleLine(scene, view, connection, columns, useTheme())} />;
}
