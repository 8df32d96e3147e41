/** The condition `position`: the position of a worker as the API returns it to an unscoped client. */
import { Position } from '../../../contract/resources.ts';
import { quoted } from '../../../contract/sentences.ts';
import { type Mismatch, mismatches } from '../../model/matchers.ts';
import { readMatcher } from '../../model/read-matcher.ts';
import { defineCondition } from '../condition.ts';
import { field, required } from '../field.ts';
import { person } from './keys.ts';
import { absent, ofPeople } from './looked-at.ts';

const flag = (help: string) =>
  field<boolean>('flag', help, { type: 'boolean' }, (value, at) => {
    if (typeof value === 'boolean') return value;
    readMatcher(value, at);
    return at.mistake(`${quoted(value)} is neither true nor false. Write ${at.path.at(-1)}: true.`);
  });

/** `position: ana` with `visible` and `masked`, and any field of the Position. */
export const POSITION = defineCondition({
  word: 'position',
  help: 'The current position of a worker, as a client sees it.',
  example: '{position: ana, visible: true, masked: false}',
  lasts: true,
  sees: 'client',
  fields: {
    position: required(person('a worker')),
    visible: flag('Whether the veil shows the position.'),
    masked: flag('Whether the position is masked, because the worker is in a privacy zone.'),
  },
  resource: { schema: Position, noun: 'a position' },
  scopes: ['positions:read'],
  mutation: { isPassing: true },
  read: ({ given, whole, body }, at) => {
    if (whole === null || body === null) return null;
    const { position: who, visible, masked } = whole;
    return ofPeople('position', who, given, body, at, (viewScope, id) => {
      const position = viewScope.look.position(id);
      const missed: Mismatch[] = [];
      if (visible !== undefined && visible !== (position !== null))
        missed.push({ path: 'visible', expected: String(visible), got: String(position !== null) });
      if (position === null)
        return { missed: visible === false ? missed : [...missed, absent('position')].slice(0, 1) };
      if (masked !== undefined && position.location.masked !== masked)
        missed.push({ path: 'masked', expected: String(masked), got: String(position.location.masked) });
      return { missed: [...missed, ...mismatches(body, position, viewScope)], body: position };
    });
  },
});
