/** The plan of a plant as inline SVG: water, fence, zones, walls, doors and points, with the places where people were crowded or queued. */
import { type Bounds, bounds, type Point, polygonArea, representativePoint } from '../../base/geometry/shapes.ts';
import { Html, html } from '../../base/text/html.ts';
import type { Door } from '../../fleet/people/ground/ground.ts';
import type { PlannedSite } from '../../plant/plan.ts';
import { FreeRoom, textBox } from '../../watching/drawing/labels.ts';
import { areaShape, type Sheet, scaleLine, sheetFor } from '../../watching/drawing/plan.ts';
import { roundLength, tenth, within } from '../../watching/drawing/round.ts';
import { cornerOf, HEAT_CELL_M } from './crowding.ts';
import type { DrillFigures, PointFigures } from './figures.ts';
import { countText, spreadText } from './words.ts';

/** Size in units of the drawing. */
const SHEET = { longest: 1_000, margin: 36 } as const;

/**
 * Font sizes in units of the drawing: for a single plan, for two plans side by side, and on a phone; the style uses the
 * same sizes.
 */
export const PLAN_FONTS = { alone: 17, beside: 27, narrow: 34 } as const;

/** Smallest size of a drawn cell, so that a queue at one door is visible on a large plant. */
const LEAST_CELL = 7;

/** A fence is clipped if its distance exceeds this share of the zones' extent. */
const FAR_FENCE = 0.4;

export const HEAT_CLASSES = 5;

/**
 * The darkest colour and the largest ring stand for at least this value, so that a small value is not drawn as a crowd;
 * person-seconds per run.
 */
const LEAST_SCALE = { heat: 16, queue: 300 } as const;

/** The common scale of several plans, with the colours of the heat map, so that they can be compared visually. */
export interface PlanScale {
  readonly bounds: Bounds;
  /** Upper ends of the colour classes, person-seconds per run. */
  readonly classes: readonly number[];
  /** Value of the largest ring, person-seconds per run; 0: there is no queue. */
  readonly mostQueuedS: number;
}

export function planScale(layouts: readonly DrillFigures[]): PlanScale {
  const all = layouts.map(({ layout }) => extentOf(layout.planned));
  const hottest = Math.max(0, ...layouts.flatMap(({ heat }) => [...heat.values()]));
  const most = Math.max(LEAST_SCALE.heat, hottest);
  const queued = Math.max(0, ...layouts.flatMap(({ queues }) => queues.map(({ personS }) => personS)));
  return {
    bounds: {
      minX: Math.min(...all.map(({ minX }) => minX)),
      minY: Math.min(...all.map(({ minY }) => minY)),
      maxX: Math.max(...all.map(({ maxX }) => maxX)),
      maxY: Math.max(...all.map(({ maxY }) => maxY)),
    },
    classes: hottest === 0 ? [] : Array.from({ length: HEAT_CLASSES }, (_, n) => most / 2 ** (HEAT_CLASSES - 1 - n)),
    mostQueuedS: queued === 0 ? 0 : Math.max(LEAST_SCALE.queue, queued),
  };
}

function extentOf({ zones, boundary }: PlannedSite): Bounds {
  const near = bounds(zones.flatMap(({ ring }) => ring));
  if (boundary === null) return near;
  const far = bounds([...boundary, ...zones.flatMap(({ ring }) => ring)]);
  const [spread, whole] = [near, far].map(({ minX, maxX, minY, maxY }) => Math.max(maxX - minX, maxY - minY));
  return (whole ?? 0) <= (spread ?? 0) * (1 + FAR_FENCE) ? far : near;
}

export function planSvg(
  figures: DrillFigures,
  { bounds: extent, classes, mostQueuedS }: PlanScale,
  isBeside: boolean,
): Html {
  const { planned } = figures.layout;
  const sheet = sheetFor(extent, SHEET);
  const shapes = [
    ...(planned.water ?? []).map((one) => areaShape(sheet, one, 'water')),
    ...(planned.boundary === null ? [] : [areaShape(sheet, planned.boundary, 'boundary')]),
    ...planned.zones.map(({ name, type, floors, doors, ring: corners }) => {
      const walls = type === 'building' || floors.length > 0 || doors.length > 0 ? ' walled' : '';
      const point = figures.points.find((one) => one.point.name === name);
      const standing = point === undefined ? '' : ` ${standingOf(point)}`;
      return areaShape(sheet, corners, `zone ${type}${walls}${standing}`, `${name} (${type.replace('_', ' ')})`);
    }),
    ...figures.layout.ground.zones.flatMap(({ doors, stairs }) => [
      ...doors.map((door) => doorLine(door, sheet)),
      ...stairs.map(({ at, widthM }) => stairMark(at, widthM, sheet)),
    ]),
  ];
  return html`<svg class="plant${isBeside ? ' beside' : ''}" viewBox="0 0 ${sheet.width} ${sheet.height}" role="img" aria-label="Plan of ${planned.name} with a heat map of where people stood close together">${shapes}${heatCells(figures, classes, sheet)}${queueRings(figures, mostQueuedS, sheet)}${labels(figures, sheet, isBeside ? 'beside' : 'alone')}${scaleBar(sheet)}</svg>`;
}

const standingOf = ({ point }: PointFigures): string =>
  point.excluded ? 'excluded' : point.serves ? 'serves' : 'idle';

/** Draws a gap in the wall, which is at least wide enough to be visible. */
function doorLine({ at, outward, widthM }: Door, sheet: Sheet): Html {
  const half = Math.max(widthM / 2, 5 / sheet.scale);
  const [dx, dy] = [-outward[1] * half, outward[0] * half];
  const [[x1, y1], [x2, y2]] = [sheet.place([at[0] - dx, at[1] - dy]), sheet.place([at[0] + dx, at[1] + dy])];
  return html`<line class="door" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"><title>door, ${widthM} m</title></line>`;
}

/** The symbol of stairs on a drawing. */
function stairMark(at: Point, widthM: number, sheet: Sheet): Html {
  const [x, y] = sheet.place(at);
  return html`<path class="stair" d="M${x - 4},${y + 4}v-3h3v-3h3v-3"><title>stairs, ${widthM} m</title></path>`;
}

function heatCells({ heat }: DrillFigures, classes: readonly number[], sheet: Sheet): Html {
  const side = Math.max(LEAST_CELL, HEAT_CELL_M * sheet.scale);
  const cells = [...heat]
    .toSorted(([, a], [, b]) => a - b)
    .map(([cell, personS]) => {
      const [west, south] = cornerOf(cell);
      const [x, y] = sheet.place([west + HEAT_CELL_M / 2, south + HEAT_CELL_M / 2]);
      const place = classes.findIndex((most) => personS <= most * 1.000001);
      return `<rect class="h${place + 1}" x="${tenth(x - side / 2)}" y="${tenth(y - side / 2)}" width="${tenth(side)}" height="${tenth(side)}"/>`;
    });
  return new Html(`<g class="heat">${cells.join('')}</g>`);
}

/** Radii of the smallest and the largest queue. */
const QUEUE = { least: 7, most: 34 } as const;

/** The area of a ring is proportional to the person-seconds of its queue. */
function queueRings({ queues }: DrillFigures, mostS: number, sheet: Sheet): Html[] {
  return queues.map(({ place, at, longest, wait, personS }) => {
    const [x, y] = sheet.place(at);
    const radius = Math.max(QUEUE.least, QUEUE.most * Math.sqrt(personS / mostS));
    const words = `longest ${spreadText(longest, countText)}, longest wait ${spreadText(wait)}`;
    return html`<circle class="queue" cx="${x}" cy="${y}" r="${tenth(radius)}"><title>${place}: ${words}</title></circle>`;
  });
}

/**
 * Writes names in the middle of their zones. If two names overlap, that of the assembly point is kept, otherwise that
 * of the larger zone.
 */
function labels({ layout, points }: DrillFigures, sheet: Sheet, page: 'alone' | 'beside'): Html[] {
  const isPoint = (name: string): boolean => points.some(({ point }) => point.name === name);
  const names = layout.planned.zones
    .map(({ name, ring }) => ({ name, at: sheet.place(representativePoint(ring)), area: polygonArea(ring) }))
    .sort((a, b) => Number(isPoint(b.name)) - Number(isPoint(a.name)) || b.area - a.area);
  const room = { wide: new FreeRoom(), narrow: new FreeRoom() };
  const fits = (name: string, [x, y]: Point, size: 'wide' | 'narrow'): number | null => {
    const font = size === 'wide' ? PLAN_FONTS[page] : PLAN_FONTS.narrow;
    const { width } = textBox(name, [x, y], font);
    // A name at the edge is moved inwards, so that it is not clipped.
    const middle = within(x, width / 2 + 2, sheet.width - width / 2 - 2);
    return room[size].take(textBox(name, [middle, y - font / 2], font)) ? tenth(middle) : null;
  };
  return names.flatMap(({ name, at }) =>
    (['wide', 'narrow'] as const).flatMap((size) => {
      const x = fits(name, at, size);
      const kind = isPoint(name) ? ' point' : '';
      return x === null ? [] : [html`<text class="zone${kind} ${size}-only" x="${x}" y="${at[1]}">${name}</text>`];
    }),
  );
}

function scaleBar({ scale, width, height }: Sheet): Html {
  const metres = roundLength(width / 4 / scale);
  const [x, y] = [tenth(width - 14 - metres * scale), height - 12];
  return html`<g class="scale">${scaleLine([x, y], tenth(metres * scale), 6)}<text class="measure zone" x="${tenth(x - 8)}" y="${y - 4}">${metres} m</text></g>`;
}
