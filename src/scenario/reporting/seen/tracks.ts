/** What is seen of one person over time: the figures that change with every report as numbers, the rest as states that people share. */
import { countUpTo } from '../../../base/sorted-numbers.ts';
import { formatInstant } from '../../../base/time/instants.ts';
import type { StreamPerson } from '../../../contract/stream.ts';
import { NumberReader, natural, signed } from './numbers.ts';
import { DEGREE_PARTS } from './truth.ts';

/**
 * A person without the figures of a track. A key that is present here has its value here: it is null, or no number of the
 * track's precision. The age of the position is left out: it is one more than the time of the message says.
 */
export interface TrackState {
  readonly location: {
    readonly source: string;
    readonly masked: boolean;
    readonly height: { readonly building: string | null; readonly floor: string | null } | null;
  } | null;
  readonly [key: string]: unknown;
}

/** The figures, and their precision: parts of a unit. Times are predicted: they go on as the time of the track does. */
const FIGURES = [
  { name: 'latitude', parts: DEGREE_PARTS },
  { name: 'longitude', parts: DEGREE_PARTS },
  { name: 'position_date_utc', parts: 1 },
  { name: 'date_last_seen', parts: 1 },
  { name: 'uncertainty_m', parts: 100 },
  { name: 'battery', parts: 1 },
  { name: 'height_m', parts: 100 },
  { name: 'height_uncertainty_m', parts: 100 },
] as const;
type TrackFigure = (typeof FIGURES)[number]['name'];
const IS_TIME = FIGURES.map(({ name }) => name === 'position_date_utc' || name === 'date_last_seen');

/** The bit of a changed state in an entry; the others are those of the figures, from the second on. */
const STATE = 1;

interface SplitPerson {
  readonly state: TrackState;
  /** In the order of `FIGURES`, in their parts; null: the person has none, or the state has it. */
  readonly figures: readonly (number | null)[];
}

function split(person: StreamPerson, deviceId: string | null): SplitPerson {
  const { worker_id: _, device_id, location, battery, date_last_seen, place, ...rest } = person;
  const state: Record<string, unknown> = { ...rest, place: place.kind };
  const height = location?.height ?? null;
  const values: Record<TrackFigure, number | string | null | undefined> = {
    latitude: location?.latitude,
    longitude: location?.longitude,
    position_date_utc: location?.position_date_utc,
    uncertainty_m: location === null ? undefined : location.uncertainty_m,
    date_last_seen,
    battery,
    height_m: height === null ? undefined : height.height_m,
    height_uncertainty_m: height === null ? undefined : height.uncertainty_m,
  };
  if (device_id !== deviceId) state['device_id'] = device_id;
  const figures = FIGURES.map(({ name, parts }, place) => {
    const value = values[name];
    if (value === undefined) return null;
    const figure = typeof value === 'string' ? Date.parse(value) : Math.round((value ?? Number.NaN) * parts);
    const read = Number.isNaN(figure) ? undefined : IS_TIME[place] === true ? formatInstant(figure) : figure / parts;
    if (read === value) return figure;
    state[name] = value;
    return null;
  });
  const shown =
    location === null
      ? null
      : {
          source: location.source,
          masked: location.masked,
          height: height === null ? null : { building: height.building ?? null, floor: height.floor ?? null },
        };
  return { state: { ...state, location: shown }, figures };
}

export interface PackedTrack {
  readonly worker: string;
  readonly device: string | null;
  readonly text: string;
}

export class TrackWriter {
  readonly #worker: string;
  readonly #device: string | null;
  readonly #placeOf: (state: TrackState) => number;
  readonly #last: (number | null)[] = FIGURES.map(() => null);
  #state = 0;
  #t = 0;
  #step = 0;
  #text = '';

  /** `placeOf`: the place of a state among those of all people. */
  constructor(person: StreamPerson, placeOf: (state: TrackState) => number) {
    this.#worker = person.worker_id;
    this.#device = person.device_id;
    this.#placeOf = placeOf;
  }

  /** Null: the person is not seen any more. False: nothing changed. */
  add(t: number, person: StreamPerson | null): boolean {
    const passed = t - this.#t;
    const seen = person === null ? null : split(person, this.#device);
    const state = seen === null ? 0 : this.#placeOf(seen.state) + 1;
    let mask = state === this.#state ? 0 : STATE;
    let numbers = mask === 0 ? '' : natural(state);
    let hasNews = mask !== 0;
    for (const [place, figure] of (seen?.figures ?? []).entries()) {
      if (figure === null) continue;
      const last = this.#last[place] ?? 0;
      const predicted = IS_TIME[place] === true && last !== 0 ? last + passed : last;
      hasNews ||= figure !== last;
      if (figure === predicted) continue;
      mask += 2 ** (place + 1);
      numbers += signed(figure - predicted);
    }
    if (!hasNews) return false;
    for (const [place, last] of this.#last.entries()) {
      const figure = seen?.figures[place] ?? null;
      this.#last[place] = figure ?? (IS_TIME[place] === true && last !== null && last !== 0 ? last + passed : last);
    }
    this.#text += signed(passed - this.#step) + natural(mask) + numbers;
    [this.#state, this.#t, this.#step] = [state, t, passed];
    return true;
  }

  packed(): PackedTrack {
    return { worker: this.#worker, device: this.#device, text: this.#text };
  }
}

/** A track that was read: the entries in the order of time. */
export class Track {
  readonly worker: string;
  readonly #device: string | null;
  readonly #states: readonly TrackState[];
  readonly #times: number[] = [];
  readonly #stateAt: number[] = [];
  readonly #figures: readonly number[][] = FIGURES.map(() => []);
  /** The last answer. */
  #place = -1;
  #person: StreamPerson | null = null;

  constructor({ worker, device, text }: PackedTrack, states: readonly TrackState[]) {
    [this.worker, this.#device, this.#states] = [worker, device, states];
    const reader = new NumberReader(text);
    let [t, step, state] = [0, 0, 0];
    const last = FIGURES.map(() => 0);
    while (!reader.isAtEnd) {
      step += reader.signed();
      t += step;
      const mask = reader.natural();
      if (mask % 2 === 1) state = reader.natural();
      this.#times.push(t);
      this.#stateAt.push(state);
      for (const [place, column] of this.#figures.entries()) {
        const before = last[place] as number;
        const predicted = IS_TIME[place] === true && before !== 0 ? before + step : before;
        const isGiven = Math.floor(mask / 2 ** (place + 1)) % 2 === 1;
        last[place] = isGiven ? predicted + reader.signed() : predicted;
        column.push(last[place] as number);
      }
    }
  }

  /** The same object as before if nothing changed between. Null: the person is not seen. */
  at(t: number): StreamPerson | null {
    const place = countUpTo(this.#times.length, (entry) => this.#times[entry] as number, t) - 1;
    if (place !== this.#place) {
      this.#place = place;
      this.#person = place < 0 ? null : this.#personAt(place);
    }
    return this.#person;
  }

  #personAt(entry: number): StreamPerson | null {
    const state = this.#states[(this.#stateAt[entry] ?? 0) - 1];
    if (state === undefined) return null;
    const figure = (name: TrackFigure): unknown => {
      if (Object.hasOwn(state, name)) return state[name];
      const place = FIGURES.findIndex((one) => one.name === name);
      const value = this.#figures[place]?.[entry] ?? 0;
      return IS_TIME[place] === true ? formatInstant(value) : value / (FIGURES[place]?.parts ?? 1);
    };
    const { location, place, device_id = this.#device } = state;
    const { in_vehicle, location_withheld, worn, muster, status, reason, rescue } = state;
    const height = location?.height ?? null;
    return {
      worker_id: this.worker,
      device_id,
      location:
        location === null
          ? null
          : {
              latitude: figure('latitude'),
              longitude: figure('longitude'),
              uncertainty_m: figure('uncertainty_m'),
              source: location.source,
              masked: location.masked,
              position_date_utc: figure('position_date_utc'),
              height:
                height === null
                  ? null
                  : { height_m: figure('height_m'), uncertainty_m: figure('height_uncertainty_m'), ...height },
            },
      location_withheld,
      in_vehicle,
      worn,
      battery: figure('battery'),
      date_last_seen: figure('date_last_seen'),
      muster,
      status,
      reason,
      rescue,
      place: { kind: place, age_s: null },
    } as StreamPerson;
  }
}
