/** The people pane: the people who were not safe after a muster, then the missing people, or all people of the site. */

import { Box } from 'ink';
import { memo, type ReactNode } from 'react';
import { spanText } from '../../watching/state/words.ts';
import type { Codes } from '../codes.ts';
import {
  columnsOf,
  nameOf,
  type PeopleColumns,
  type PeopleEntry,
  peopleEntries,
  peopleHint,
  peopleTitle,
  statusWords,
} from '../panes/people.ts';
import type { PeopleOrder } from '../people-order.ts';
import { cellsOf, clean } from '../terminal/cells.ts';
import { type Area, insideOf } from '../terminal/layout.ts';
import type { Role } from '../terminal/theme.ts';
import { chosenOf, type DashboardScene, type DashboardView } from '../view.ts';
import { usePaneKeys } from './keys.tsx';
import { Cell, Mark, Styled, useTheme } from './look.tsx';
import { PaneFrame } from './pane.tsx';

export interface ScenePaneProps {
  readonly area: Area;
  readonly scene: DashboardScene;
  readonly view: DashboardView;
}

export function PeoplePane({ area, scene, view }: ScenePaneProps): ReactNode {
  const look = useTheme();
  const isFocused = view.pane === 'people';
  usePaneKeys('people', view);
  const room = insideOf(area);
  const codes = scene.codes(look);
  const columns = columnsOf(room.width, codes, scene.people);
  const entries = peopleEntries(scene, view, room, look.glyphs.dots);
  const chosen = chosenOf(scene, view, 'people');
  return (
    <PaneFrame area={area} title={peopleTitle(scene, view)} hint={peopleHint(scene, view)} focused={isFocused}>
      {entries.map((entry, place) => (
        <Entry
          // biome-ignore lint/suspicious/noArrayIndexKey: a row of the screen is the same row whatever it shows.
          key={place}
          entry={entry}
          columns={columns}
          codes={codes}
          isFocused={isFocused}
          width={room.width}
          order={view.order}
          now={scene.now}
          isChosen={entry.id !== null && entry.id === chosen}
        />
      ))}
    </PaneFrame>
  );
}

interface PeopleEntryProps {
  readonly entry: PeopleEntry;
  readonly columns: PeopleColumns;
  readonly codes: Codes;
  readonly width: number;
  readonly order: PeopleOrder;
  /** Simulated time, ms. */
  readonly now: number;
  readonly isChosen: boolean;
  readonly isFocused: boolean;
}

function Entry({ entry, columns, codes, width, order, now, isChosen, isFocused }: PeopleEntryProps): ReactNode {
  const mark = { isChosen, isFocused };
  switch (entry.kind) {
    case 'heading':
      return <Heading columns={columns} order={order} />;
    case 'text':
      return (
        <Cell width={width} gap={0} tone={entry.role}>
          {` ${entry.text}`}
        </Cell>
      );
    case 'group': {
      const { place, rows, text, rescue } = entry.group;
      return <GroupLine place={place} text={text} rescue={rescue} width={width} {...mark} people={rows.length} />;
    }
    case 'not-safe': {
      const { worker, workerId, rank, word, place, placeAt } = entry.row;
      const who = { columns, code: codes.of(workerId), name: worker === null ? '' : nameOf(worker), words: word };
      const isGrave = rank === 'rescue';
      return (
        <PersonLine
          {...who}
          {...mark}
          place={place}
          isGrave={isGrave}
          tone={rank}
          seen={placeAt ?? '-'}
          wordsTone={rank}
        />
      );
    }
    case 'person': {
      const { row } = entry;
      const { person, worker, status, rescue, alert } = row;
      const isGrave = rescue || (status === 'person' && alert?.severity === 'critical');
      const seen = person.date_last_seen === null ? '-' : spanText(now - Date.parse(person.date_last_seen));
      const who = {
        columns,
        code: codes.of(row.id),
        name: nameOf(worker),
        place: row.placeWords,
      };
      const words = statusWords(row, columns.words - 1);
      const tone = isGrave ? 'rescue' : status;
      // Outside a muster, the text is that of the open alert, so its severity gives the colour.
      const wordsTone = isGrave || status !== 'person' ? tone : (alert?.severity ?? 'dim');
      return (
        <PersonLine {...who} {...mark} words={words} seen={seen} tone={tone} wordsTone={wordsTone} isGrave={isGrave} />
      );
    }
  }
}

const TITLES: Readonly<Record<'code' | 'name' | 'words' | 'place' | 'seen', readonly [string, PeopleOrder]>> = {
  code: ['ID', 'id'],
  name: ['NAME', 'name'],
  words: ['STATUS', 'status'],
  place: ['PLACE', 'place'],
  seen: ['SEEN', 'seen'],
};

/** The titles of the columns; the column by which the rows are sorted is marked. */
const Heading = memo(({ columns, order }: Pick<PeopleEntryProps, 'columns' | 'order'>): ReactNode => {
  const { glyphs } = useTheme();
  const columnKeys = ['code', 'name', 'words', 'place', 'seen'] as const;
  return (
    <Box height={1}>
      <Cell width={3}> </Cell>
      {columnKeys.map((key) => {
        const [title, sorts] = TITLES[key];
        const isSorted = sorts === order;
        return (
          <Cell key={key} width={columns[key]} tone={isSorted ? 'bold' : 'dim'} isRight={key === 'seen'}>
            {isSorted ? `${title}${glyphs.sorted}` : title}
          </Cell>
        );
      })}
    </Box>
  );
});

interface PersonLineProps {
  readonly columns: PeopleColumns;
  readonly isChosen: boolean;
  readonly isFocused: boolean;
  readonly tone: keyof typeof GLYPH_OF;
  readonly wordsTone: Role;
  readonly isGrave: boolean;
  readonly code: string;
  readonly name: string;
  readonly words: string;
  readonly place: string;
  readonly seen: string;
}

/** Roles that have a glyph. */
const GLYPH_OF = { rescue: 1, help: 1, wrong_point: 1, no_signal: 1, not_worn: 1, pending: 1, safe: 1, person: 1 };

const PersonLine = memo((props: PersonLineProps): ReactNode => {
  const { columns, isChosen, isFocused, tone, wordsTone, isGrave, code, name, words, place, seen } = props;
  const { glyphs } = useTheme();
  return (
    <Box height={1}>
      <Mark isChosen={isChosen} isFocused={isFocused} />
      <Cell width={2} tone={tone}>
        {glyphs[tone]}
      </Cell>
      <Cell width={columns.code} tone={isGrave ? 'rescue' : 'bold'}>
        {code}
      </Cell>
      <Cell width={columns.name}>{name}</Cell>
      <Cell width={columns.words} tone={wordsTone}>
        {words}
      </Cell>
      <Cell width={columns.place}>{place}</Cell>
      <Cell width={columns.seen} tone="dim" isRight>
        {seen}
      </Cell>
    </Box>
  );
});

interface GroupLineProps {
  readonly place: string;
  readonly people: number;
  readonly text: string;
  readonly rescue: number;
  readonly width: number;
  readonly isChosen: boolean;
  readonly isFocused: boolean;
}

/** The row of a place: the number of people, and their statuses. */
const GroupLine = memo(({ place, people, text, rescue, width, ...mark }: GroupLineProps): ReactNode => {
  const count = String(people).padStart(4);
  const name = Math.min(28, Math.max(12, Math.floor(width * 0.4)), Math.max(1, width - 16));
  const counts = width - 1 - name - cellsOf(count) - 2;
  return (
    <Box height={1}>
      <Mark {...mark} />
      <Cell width={name} tone={rescue > 0 ? 'rescue' : 'bold'}>
        {clean(place)}
      </Cell>
      <Styled tone="bold">{`${count}  `}</Styled>
      <Cell width={counts} gap={0} tone={rescue > 0 ? 'rescue' : 'pending'}>
        {text}
      </Cell>
    </Box>
  );
});
