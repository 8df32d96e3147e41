/** The alerts pane: the open alerts, the most urgent first, and the newest events. */

import { Box } from 'ink';
import { memo, type ReactNode } from 'react';
import { formatInstant } from '../../base/time/instants.ts';
import type { Alert } from '../../contract/resources.ts';
import type { EventLine } from '../../watching/state/events.ts';
import { dayTime } from '../../watching/state/words.ts';
import {
  type AlertEntry,
  alertEntries,
  alertsTitle,
  FLASH_MS,
  lastMinute,
  stateText,
  typeText,
} from '../panes/alerts.ts';
import { cellsOf, clean } from '../terminal/cells.ts';
import { type Area, insideOf } from '../terminal/layout.ts';
import type { Role } from '../terminal/theme.ts';
import { chosenOf, type DashboardScene } from '../view.ts';
import { usePaneKeys } from './keys.tsx';
import { Cell, Mark, Styled, useTheme } from './look.tsx';
import { PaneFrame } from './pane.tsx';
import type { ScenePaneProps } from './people-pane.tsx';

export function AlertsPane({ area, scene, view }: ScenePaneProps): ReactNode {
  return (
    <PaneFrame
      area={area}
      title={alertsTitle(scene, view)}
      hint="a acknowledge  r resolve"
      focused={view.pane === 'alerts'}
    >
      <AlertList area={insideOf(area)} scene={scene} view={view} />
    </PaneFrame>
  );
}

/** The rows of the pane. */
export function AlertList({ area, scene, view }: ScenePaneProps): ReactNode {
  const look = useTheme();
  usePaneKeys('alerts', view);
  const chosen = chosenOf(scene, view, 'alerts');
  return alertEntries(scene, view, area, look.glyphs.dots).map((entry, place) => (
    <Entry
      // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is the same row whatever it shows.
      key={place}
      entry={entry}
      scene={scene}
      area={area}
      isChosen={entry.id !== null && entry.id === chosen}
      isFocused={view.pane === 'alerts'}
    />
  ));
}

interface AlertEntryProps {
  readonly entry: AlertEntry;
  readonly scene: DashboardScene;
  readonly area: Area;
  readonly isChosen: boolean;
  readonly isFocused: boolean;
}

function Entry({ entry, scene, area: { width }, isChosen, isFocused }: AlertEntryProps): ReactNode {
  const look = useTheme();
  switch (entry.kind) {
    case 'text':
      return (
        <Cell width={width} gap={0} tone={entry.role}>
          {` ${entry.text}`}
        </Cell>
      );
    case 'event':
      return <EventRow event={entry.event} width={width} />;
    case 'minute':
      return <LastMinute events={entry.events} now={scene.now} />;
    case 'alert': {
      const { alert } = entry;
      const { worker } = alert;
      const who = worker === null ? 'whole site' : scene.codes(look).of(worker.id);
      return (
        <AlertRow
          alert={alert}
          who={who}
          width={width}
          isChosen={isChosen}
          isFocused={isFocused}
          isNew={isNew(alert, scene)}
        />
      );
    }
  }
}

function isNew({ id, severity, status }: Alert, { world, at }: DashboardScene): boolean {
  const raisedAt = world.raised.get(id);
  const isUrgent = severity === 'critical' && status === 'unacknowledged';
  return isUrgent && raisedAt !== undefined && at - raisedAt < FLASH_MS;
}

const WORD = { low: 'LOW', medium: 'MED', high: 'HIGH', critical: 'CRIT' } as const;
/** Smallest useful width of the zone, including a gap. */
const LEAST_ZONE = 6;

interface AlertRowProps {
  readonly alert: Alert;
  readonly who: string;
  readonly width: number;
  readonly isNew: boolean;
  readonly isChosen: boolean;
  readonly isFocused: boolean;
}

const AlertRow = memo(({ alert, who, width, isNew: flashes, isChosen, isFocused }: AlertRowProps): ReactNode => {
  const type = width >= 60 ? 21 : width >= 54 ? 18 : 15;
  const code = Math.max(width >= 64 ? 11 : 7, cellsOf(who) + 1);
  const state = clean(stateText(alert, width));
  const room = width - 1 - 9 - 5 - type - code - 1;
  const stateWidth = Math.min(Math.max(0, room), cellsOf(state));
  const zone = room - stateWidth - 1;
  // The whole row of a new alert is shown in reverse.
  const role = (usual: Role): Role => (flashes ? 'selected' : usual);
  const isUrgent = alert.status === 'unacknowledged';
  return (
    <Box height={1} width={width}>
      <Mark isChosen={isChosen} isFocused={isFocused} />
      <Cell width={9} tone={role('dim')}>
        {dayTime(alert.date_created)}
      </Cell>
      <Cell width={5} tone={role(alert.severity)}>
        {WORD[alert.severity]}
      </Cell>
      <Cell width={type} tone={role('plain')}>
        {typeText(alert)}
      </Cell>
      <Cell width={code} tone={role('bold')}>
        {who}
      </Cell>
      <Cell width={zone >= LEAST_ZONE ? zone : 0} tone={role('dim')}>
        {alert.zone?.name ?? ''}
      </Cell>
      <Box flexGrow={1} justifyContent="flex-end" paddingRight={1}>
        <Cell width={stateWidth} gap={0} tone={role(isUrgent ? alert.severity : 'dim')}>
          {state}
        </Cell>
      </Box>
    </Box>
  );
});

const EventRow = memo(({ event: { at, type, text }, width }: { event: EventLine; width: number }): ReactNode => {
  const { glyphs } = useTheme();
  return (
    <Cell width={width} gap={0} tone="dim">
      {` ${dayTime(formatInstant(at))} ${glyphs.pending}    ${type.padEnd(22)} ${text}`}
    </Cell>
  );
});

/** The number of events in the last simulated minute, with a chart of their times. */
function LastMinute({ events, now }: { readonly events: readonly EventLine[]; readonly now: number }): ReactNode {
  const { glyphs } = useTheme();
  const { count, bars } = lastMinute(events, now);
  const most = Math.max(1, ...bars);
  const steps = [...glyphs.spark];
  const line = bars.map((bar) => (bar === 0 ? ' ' : steps[Math.round((bar / most) * (steps.length - 1))])).join('');
  return (
    <Box height={1}>
      <Styled tone="dim">{` ${count} ${count === 1 ? 'event' : 'events'} in the last minute `}</Styled>
      <Styled tone="pending">{line}</Styled>
    </Box>
  );
}

/** The text for the title of the tabs: the number of open alerts, and of critical ones. */
export function alertsTab({ isKnown, alerts }: DashboardScene, { glyphs }: { glyphs: { rescue: string } }): string {
  const critical = alerts.filter(({ severity }) => severity === 'critical').length;
  return isKnown ? `4 Alerts ${alerts.length}${critical > 0 ? ` ${glyphs.rescue}${critical}` : ''}` : '4 Alerts';
}
