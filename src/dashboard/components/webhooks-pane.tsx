/** The webhooks pane: each destination with its next attempt, then the deliveries. */

import { Box } from 'ink';
import { memo, type ReactNode } from 'react';
import type { WebhookDestination } from '../../contract/resources.ts';
import type { DatedDelivery } from '../../watching/state/state.ts';
import { deliveryTime, type WebhookEntry, webhookEntries, webhooksHint } from '../panes/webhooks.ts';
import { cellsOf, clean } from '../terminal/cells.ts';
import { insideOf } from '../terminal/layout.ts';
import type { Role } from '../terminal/theme.ts';
import { chosenOf } from '../view.ts';
import { usePaneKeys } from './keys.tsx';
import { Cell, Mark, useTheme } from './look.tsx';
import { PaneFrame } from './pane.tsx';
import type { ScenePaneProps } from './people-pane.tsx';

export function WebhooksPane({ area, scene, view }: ScenePaneProps): ReactNode {
  return (
    <PaneFrame area={area} title="5 Webhooks" hint={webhooksHint(scene)} focused={view.pane === 'webhooks'}>
      <WebhookList area={insideOf(area)} scene={scene} view={view} />
    </PaneFrame>
  );
}

/** The rows of the pane. */
export function WebhookList({ area, scene, view }: ScenePaneProps): ReactNode {
  const look = useTheme();
  usePaneKeys('webhooks', view);
  const chosen = chosenOf(scene, view, 'webhooks');
  return webhookEntries(scene, view, area, look.glyphs.dots).map((entry, place) => (
    <Entry
      // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is the same row whatever it shows.
      key={place}
      entry={entry}
      width={area.width}
      isChosen={view.pane === 'webhooks' && entry.kind === 'destination' && entry.id === chosen}
    />
  ));
}

interface WebhookEntryProps {
  readonly entry: WebhookEntry;
  readonly width: number;
  readonly isChosen: boolean;
}

function Entry({ entry, width, isChosen }: WebhookEntryProps): ReactNode {
  switch (entry.kind) {
    case 'text':
      return <Cell width={width} gap={0} tone="dim">{` ${entry.text}`}</Cell>;
    case 'failure':
      return <Cell width={width} tone="no_signal">{`   ${entry.text}`}</Cell>;
    case 'destination':
      return (
        <DestinationRow width={width} isChosen={isChosen} destination={entry.destination} figures={entry.figures} />
      );
    case 'delivery':
      return <DeliveryRow width={width} delivery={entry.delivery} how={entry.how} />;
  }
}

interface DestinationRowProps {
  readonly destination: WebhookDestination;
  readonly figures: string;
  readonly width: number;
  readonly isChosen: boolean;
}

const DestinationRow = memo(({ destination, figures, width, isChosen }: DestinationRowProps): ReactNode => {
  const { glyphs } = useTheme();
  const { url, failing_since, is_active } = destination;
  const isFailing = failing_since !== null;
  const tail = Math.min(cellsOf(figures), Math.max(0, width - 12)) + 1;
  const room = width - 3 - tail;
  const name = clean(url.replace(/^https:\/\//, ''));
  // If there is little space, only the host is shown: it distinguishes destinations better than the path.
  const shown = cellsOf(name) < room ? name : name.replace(/\/.*$/, '');
  return (
    <Box height={1}>
      <Mark isChosen={isChosen} isFocused />
      <Cell width={2} tone={isFailing ? 'critical' : is_active ? 'safe' : 'dim'}>
        {isFailing ? glyphs.rescue : glyphs.safe}
      </Cell>
      <Cell width={room}>{shown}</Cell>
      <Cell width={tail} tone={isFailing ? 'critical' : 'dim'} isRight>
        {figures}
      </Cell>
    </Box>
  );
});

interface DeliveryRowProps {
  readonly delivery: DatedDelivery;
  readonly how: string;
  readonly width: number;
}

const DeliveryRow = memo(({ delivery, how, width }: DeliveryRowProps): ReactNode => {
  const { event_type, state, tries } = delivery;
  const role: Role = state === 'delivered' ? 'safe' : state === 'lost' ? 'critical' : tries === 0 ? 'dim' : 'no_signal';
  const tail = cellsOf(how) + 1;
  return (
    <Box height={1}>
      <Cell width={10} tone="dim">{` ${deliveryTime(delivery)}`}</Cell>
      <Cell width={Math.max(0, width - 10 - tail)}>{event_type}</Cell>
      <Cell width={tail} tone={role} isRight>
        {how}
      </Cell>
    </Box>
  );
});
