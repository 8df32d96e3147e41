/** What is in an alert's timeline: who did what, when and why, in their own words; the API's Alert does not show it. [spec 3, decisions 5] */
import { describe, expect, test } from 'vitest';
import { MAX_TIMELINE } from '../../../../src/service/domain/alerts/raise.ts';
import type { Alert } from '../../../../src/service/domain/world/documents.ts';
import type { TimelineEntry } from '../../../../src/service/domain/world/embedded.ts';
import { SITE, SmallWorld, T0 } from '../small-world.ts';

const SECOND = 1_000;
const LATER = T0 + SECOND;

const earthquake = (small: SmallWorld, official: boolean) =>
  small.do({
    type: 'report-hazard',
    siteId: SITE,
    hazard: 'earthquake',
    official,
    magnitude: 7,
    distanceKm: 80,
    feltAtSite: true,
    eta: null,
  });

const line = (at: number, what: string, by: string | null, reason: string | null = null, note: string | null = null) =>
  ({ at, what, by, reason, note }) satisfies TimelineEntry;

interface Case {
  readonly what: string;
  readonly play: (small: SmallWorld) => void;
  readonly of: Alert['type'];
  readonly lines: readonly TimelineEntry[];
}

/** What is done a second later, after something has begun. */
const then = (begin: (small: SmallWorld) => void, go: (small: SmallWorld) => void) => (small: SmallWorld) => {
  begin(small);
  small.now = LATER;
  go(small);
};
const sos = (small: SmallWorld) => small.sos(1);
const idOf = (small: SmallWorld, type: Alert['type'] = 'sos') => small.alert(type).id;
const fallen = (answer: 'ok' | 'help') => (small: SmallWorld) => {
  const fallId = small.fall(1);
  small.now = LATER;
  small.do({ type: 'answer-prompt', fallId, answer, ...small.uplink(1) });
};

const SOS = line(T0, 'SOS by the screen button', 'Ana Ruiz');
const FALL = line(T0, 'Fall detected by the watch', 'Ana Ruiz');

const CASES: readonly Case[] = [
  { what: 'an SOS of the screen', play: sos, of: 'sos', lines: [SOS] },
  {
    what: 'an SOS of the hardware button',
    play: (small) => small.do({ type: 'report-sos', trigger: 'watch_hardware_button', ...small.uplink(1) }),
    of: 'sos',
    lines: [line(T0, 'SOS by the hardware button', 'Ana Ruiz')],
  },
  {
    what: 'an SOS of the control room, by whoever pressed it',
    play: (small) => small.do({ type: 'panel-sos', workerId: small.workerId(1), by: 'Shift lead' }),
    of: 'sos',
    lines: [line(T0, 'SOS by the control room', 'Shift lead')],
  },
  { what: 'a second press', play: then(sos, sos), of: 'sos', lines: [SOS, { ...SOS, at: LATER }] },
  {
    what: 'a fall with its answer',
    play: fallen('ok'),
    of: 'fall_detected',
    lines: [FALL, line(LATER, 'Answered "I\'m OK" on the watch', 'Ana Ruiz')],
  },
  {
    what: 'a fall whose wearer asks for help',
    play: fallen('help'),
    of: 'fall_detected',
    lines: [FALL, line(LATER, 'Answered "I need help" on the watch', 'Ana Ruiz')],
  },
  {
    what: 'the SOS of whom asked for help after a fall',
    play: fallen('help'),
    of: 'sos',
    lines: [line(LATER, 'SOS: asked for help after a fall', 'Ana Ruiz')],
  },
  {
    what: 'a fall that nobody answered',
    play: (small) => {
      const promptId = small.promptOf(1, small.fall(1));
      small.now = LATER;
      small.do({ type: 'expire-prompt', promptId });
    },
    of: 'fall_detected',
    lines: [FALL, line(LATER, 'The prompt was not answered', null)],
  },
  {
    what: 'a call with a voice note',
    play: (small) => small.do({ type: 'request-call', voiceNote: true, ...small.uplink(1) }),
    of: 'worker_call_request',
    lines: [line(T0, 'Asked for a call and left a voice note', 'Ana Ruiz')],
  },
  {
    what: 'a call',
    play: (small) => small.do({ type: 'request-call', voiceNote: false, ...small.uplink(1) }),
    of: 'worker_call_request',
    lines: [line(T0, 'Asked for a call', 'Ana Ruiz')],
  },
  {
    what: 'the acknowledgement on the watch',
    play: then(sos, (small) => small.do({ type: 'acknowledge-on-watch', alertId: null, ...small.uplink(1) })),
    of: 'sos',
    lines: [SOS, line(LATER, 'Acknowledged on the watch', 'Ana Ruiz')],
  },
  {
    what: 'taking charge, by the actor and not by the label of the API',
    play: then(sos, (small) => small.update(small.alert('sos'), 'acknowledged', { note: 'On my way' })),
    of: 'sos',
    lines: [SOS, line(LATER, 'Acknowledged', 'Desk 2', null, 'On my way')],
  },
  {
    what: 'resolving',
    play: then(sos, (small) => small.update(small.alert('sos'), 'resolved', { note: 'Cut', reason: 'Attended' })),
    of: 'sos',
    lines: [SOS, line(LATER, 'Resolved', 'Desk 2', 'Attended', 'Cut')],
  },
  {
    what: 'assigning',
    play: then(sos, (small) =>
      small.do({ type: 'assign-alert', alertId: idOf(small), by: 'Shift lead', to: 'Desk 1' }),
    ),
    of: 'sos',
    lines: [SOS, line(LATER, 'Assigned to Desk 1', 'Shift lead')],
  },
  {
    what: 'reopening',
    play: then(
      (small) => {
        sos(small);
        small.update(small.alert('sos'), 'resolved');
      },
      (small) => small.do({ type: 'reopen-alert', alertId: idOf(small), by: 'Shift lead' }),
    ),
    of: 'sos',
    lines: [SOS, line(T0, 'Resolved', 'Desk 2'), line(LATER, 'Reopened', 'Shift lead')],
  },
  {
    what: 'an estimate and the bulletin after it, which nobody of the plant did',
    play: then(
      (small) => earthquake(small, false),
      (small) => earthquake(small, true),
    ),
    of: 'earthquake',
    lines: [line(T0, 'The service’s own estimate', null), line(LATER, 'Official bulletin', null)],
  },
];

describe('the timeline', () => {
  test.each(CASES)('tells of $what', ({ play, of, lines }) => {
    const small = new SmallWorld();
    play(small);
    expect(small.alert(of).timeline).toEqual(lines);
  });

  test(`keeps its first and its last lines when a button is stuck: ${MAX_TIMELINE} at most`, () => {
    const small = new SmallWorld();
    for (let press = 0; press < MAX_TIMELINE; press++) {
      small.now = T0 + press;
      small.sos(1);
    }
    const times = () => small.alert('sos').timeline.map(({ at }) => at - T0);
    expect(times()).toEqual(Array.from({ length: MAX_TIMELINE }, (_, n) => n));
    small.now = T0 + MAX_TIMELINE;
    small.sos(1);
    const half = MAX_TIMELINE / 2;
    expect(times()).toEqual([...Array(half).keys(), ...Array.from({ length: half }, (_, n) => half + 1 + n)]);
  });
});
