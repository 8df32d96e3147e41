/** The plants of the default world, drawn by hand in metres: a terminal on a coast, a smelter in a desert, a shipyard in a ria. */
import { boxRing, type Point } from '../base/geometry.ts';
import type { MusterKind, PrivacyMode, Severity } from '../contract/enumerations.ts';
import { SCOPES } from '../contract/enumerations.ts';
import type { PlannedContract, PlannedSite, PlannedZone } from './plan.ts';

/** A plant, how many work there, and what they do. */
export interface DefaultPlant {
  readonly site: PlannedSite;
  readonly crew: number;
  readonly contractors: readonly string[];
  readonly roles: readonly string[];
  /** `inside`: so many of the holders are in the zone at the start. */
  readonly permits: readonly {
    zone: string;
    reference: string;
    holders: number;
    inside: number;
    forMs: number | null;
  }[];
  /** Driven by somebody of that role where there is one. */
  readonly vehicles: readonly { name: string; type: string; role: string }[];
}

/** A company of the default world and its contract. */
export interface DefaultCompany {
  readonly name: string;
  readonly contract: PlannedContract;
  readonly plants: readonly DefaultPlant[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

type Ring = readonly Point[];
type Extras = Partial<Pick<PlannedZone, 'floors' | 'doors'>>;

const box = (x1: number, y1: number, x2: number, y2: number): Ring => boxRing(x1, y1, x2, y2);
const plain =
  (type: PlannedZone['type']) =>
  (name: string, ring: Ring, extras: Extras = {}): PlannedZone => ({
    name,
    type,
    ring,
    assemblyPoint: null,
    floors: [],
    doors: [],
    ...extras,
  });
const workArea = plain('work_area');
const restricted = plain('restricted');
const forbidden = plain('forbidden');
const privacy = plain('privacy');
const building = plain('building');

const floor = (name: string, heightM: number, refuge = false) => ({ name, heightM, refuge });
const door = (x: number, y: number, widthM: number) => ({ at: [x, y] as Point, widthM });

/** A point on the ground; its elevation is surveyed. */
const assemblyPoint = (
  name: string,
  ring: Ring,
  serves: readonly MusterKind[],
  elevationM: number,
  capacity: number,
): PlannedZone => ({
  ...plain('assembly_point')(name, ring),
  assemblyPoint: {
    serves,
    elevationM,
    elevationSource: 'verified',
    vertical: false,
    capacity,
    minHeightM: null,
  },
});

interface Frame {
  readonly name: string;
  readonly location: string;
  readonly privacyMode: PrivacyMode;
  readonly unveilMinSeverity: Severity;
  readonly origin: PlannedSite['origin'];
  readonly plan: PlannedSite['plan'];
}

const site = (frame: Frame, zones: readonly PlannedZone[], water: readonly Ring[] = []): PlannedSite => ({
  ...frame,
  boundary: null,
  service: {},
  zones,
  water,
  workers: [],
  vehicles: [],
  permits: [],
});

/** A bulk and fuel terminal on an open coast: the sea is west, the hills are east. */
const TERMINAL: DefaultPlant = {
  crew: 60,
  contractors: ['Montajes Cordillera', 'Grúas del Pacífico', 'Aseo Industrial Alerce'],
  roles: [
    'Crane operator',
    'Crane operator',
    'Stevedore',
    'Stevedore',
    'Stevedore',
    'Forklift driver',
    'Reach stacker driver',
    'Tank farm operator',
    'Tank farm operator',
    'Electrician',
    'Welder',
    'Mechanic',
    'HSE officer',
    'Shift supervisor',
  ],
  site: site(
    {
      name: 'Terminal Puerto Alerce',
      location: 'Bahía Alerce, Región de Valparaíso, Chile',
      privacyMode: 'continuous',
      unveilMinSeverity: 'high',
      origin: { latitude: -32.7662, longitude: -71.4938 },
      plan: { general: 15 * MINUTE_MS, tsunami: 20 * MINUTE_MS, earthquake: 15 * MINUTE_MS },
    },
    [
      workArea('Main Quay', box(0, 0, 38, 540)),
      workArea('Jetty', [
        [-270, 150],
        [0, 150],
        [0, 168],
        [-246, 168],
        [-246, 270],
        [-270, 270],
      ]),
      workArea('Container Yard', box(55, 40, 310, 270)),
      workArea('Bulk Yard', [
        [55, 300],
        [250, 300],
        [310, 360],
        [310, 520],
        [55, 520],
      ]),
      workArea('Truck Loading', box(345, 420, 470, 500)),
      building('Workshop', box(345, 60, 425, 120), {
        floors: [floor('Ground', 0), floor('Gallery', 5.5)],
        doors: [door(345, 90, 5), door(385, 120, 2), door(425, 75, 1.2)],
      }),
      building('Warehouse 2', box(345, 150, 465, 230), {
        floors: [floor('Ground', 0)],
        doors: [door(345, 190, 6), door(405, 150, 6), door(465, 190, 1.2)],
      }),
      restricted('Tank Farm', [
        [500, 160],
        [700, 160],
        [730, 210],
        [730, 400],
        [500, 400],
      ]),
      forbidden('Flare Pad', box(640, 440, 700, 500)),
      privacy('Canteen', box(455, 60, 500, 95), { doors: [door(477, 95, 1.8)] }),
      assemblyPoint('Gate A', box(180, -60, 230, -25), ['general', 'earthquake'], 5, 160),
      assemblyPoint('Cerro Mirador', box(1010, 300, 1070, 350), ['general', 'tsunami', 'earthquake'], 47, 500),
      {
        ...plain('assembly_point')('Control Tower', box(540, 60, 570, 100)),
        assemblyPoint: {
          serves: ['tsunami'],
          elevationM: 6,
          elevationSource: 'dem',
          vertical: true,
          capacity: 90,
          minHeightM: 14.4,
        },
        floors: [
          floor('Ground', 0),
          floor('Floor 1', 4.8),
          floor('Floor 2', 9.6),
          floor('Floor 3', 14.4, true),
          floor('Roof', 19.2, true),
        ],
        doors: [door(540, 80, 1.8), door(555, 100, 1.2)],
      },
    ],
    [
      // The sea, with the jetty cut out of it.
      [
        [-470, -260],
        [0, -260],
        [0, 150],
        [-270, 150],
        [-270, 270],
        [-246, 270],
        [-246, 168],
        [0, 168],
        [0, 740],
        [-470, 740],
      ],
    ],
  ),
  permits: [
    { zone: 'Tank Farm', reference: 'WP-2041', holders: 4, inside: 2, forMs: 8 * HOUR_MS },
    { zone: 'Tank Farm', reference: 'WP-2046', holders: 1, inside: 1, forMs: null },
    { zone: 'Flare Pad', reference: 'WP-2050', holders: 1, inside: 0, forMs: 4 * HOUR_MS },
  ],
  vehicles: [
    { name: 'Reach stacker 1', type: 'reach stacker', role: 'Reach stacker driver' },
    { name: 'Reach stacker 2', type: 'reach stacker', role: 'Reach stacker driver' },
    { name: 'Forklift 4', type: 'forklift', role: 'Forklift driver' },
    { name: 'Forklift 7', type: 'forklift', role: 'Forklift driver' },
    { name: 'Pickup 12', type: 'pickup', role: 'Shift supervisor' },
  ],
};

/** A copper smelter inland, 1,400 m above the sea: no wave comes here. */
const SMELTER: DefaultPlant = {
  crew: 30,
  contractors: ['Refractarios del Norte', 'Montajes Cordillera', 'Ingeniería Trama'],
  roles: [
    'Furnace operator',
    'Furnace operator',
    'Converter operator',
    'Overhead crane operator',
    'Acid plant operator',
    'Refractory mason',
    'Instrument technician',
    'Electrician',
    'Loader driver',
    'HSE officer',
    'Shift supervisor',
  ],
  site: site(
    {
      name: 'Fundición Cerro Pardo',
      location: 'Cerro Pardo, Región de Antofagasta, Chile',
      privacyMode: 'on_demand',
      unveilMinSeverity: 'high',
      origin: { latitude: -23.4417, longitude: -69.5123 },
      plan: { general: 15 * MINUTE_MS, earthquake: 15 * MINUTE_MS },
    },
    [
      workArea('Concentrate Store', box(0, 0, 150, 90)),
      workArea('Anode Casting', box(340, 20, 450, 110)),
      workArea('Slag Yard', [
        [-60, 220],
        [110, 220],
        [160, 290],
        [160, 380],
        [-60, 380],
      ]),
      building('Furnace Hall', box(180, 20, 310, 110), {
        floors: [floor('Ground', 0), floor('Charging Floor', 8), floor('Crane Level', 19)],
        doors: [door(180, 65, 6), door(310, 65, 6), door(245, 20, 1.5)],
      }),
      building('Maintenance Shop', box(340, 150, 410, 200), {
        floors: [floor('Ground', 0)],
        doors: [door(340, 175, 5), door(375, 200, 1.2)],
      }),
      restricted('Converter Aisle', box(180, 125, 310, 165)),
      restricted('Substation', box(470, 140, 510, 190)),
      forbidden('Acid Plant', [
        [200, 220],
        [340, 220],
        [340, 300],
        [270, 350],
        [200, 350],
      ]),
      privacy('Changing Room', box(430, 230, 465, 255), { doors: [door(447, 230, 1.8)] }),
      privacy('Canteen', box(430, 280, 480, 310), { doors: [door(455, 280, 1.8)] }),
      assemblyPoint('Point East', box(600, 60, 640, 100), ['general', 'earthquake'], 1412, 120),
      assemblyPoint('Point South', box(60, -130, 110, -100), ['general', 'earthquake'], 1406, 80),
    ],
  ),
  permits: [
    { zone: 'Converter Aisle', reference: 'PT-3110', holders: 2, inside: 1, forMs: 8 * HOUR_MS },
    { zone: 'Acid Plant', reference: 'PT-3117', holders: 1, inside: 0, forMs: 2 * HOUR_MS },
    { zone: 'Substation', reference: 'PT-3121', holders: 1, inside: 0, forMs: null },
  ],
  vehicles: [
    { name: 'Slag pot carrier', type: 'slag pot carrier', role: 'Loader driver' },
    { name: 'Wheel loader 2', type: 'wheel loader', role: 'Loader driver' },
    { name: 'Pickup 3', type: 'pickup', role: 'HSE officer' },
  ],
};

/** A shipyard at the mouth of a ria: the water is south. */
const SHIPYARD: DefaultPlant = {
  crew: 20,
  // The client sees the first of them only; it sends every other contractor's man.
  contractors: ['Soldaduras Ártabra', 'Andamios Breogán', 'Soldaduras Ártabra', 'Pinturas Navales Ézaro'],
  roles: [
    'Welder',
    'Welder',
    'Pipe fitter',
    'Scaffolder',
    'Painter',
    'Shipwright',
    'Gantry crane operator',
    'Forklift driver',
    'HSE officer',
    'Foreman',
  ],
  site: site(
    {
      name: 'Astillero Ría Brava',
      location: 'Ría Brava, A Coruña, Spain',
      privacyMode: 'continuous',
      unveilMinSeverity: 'medium',
      origin: { latitude: 43.4706, longitude: -8.2611 },
      plan: { general: 15 * MINUTE_MS, tsunami: 25 * MINUTE_MS, earthquake: 15 * MINUTE_MS },
    },
    [
      workArea('Slipway', [
        [0, -140],
        [46, -140],
        [46, 90],
        [0, 90],
      ]),
      workArea('Dry Dock', box(75, -110, 125, 110)),
      workArea('Block Assembly', box(150, -20, 330, 90)),
      workArea('Fitting-out Quay', box(150, -75, 420, -45)),
      building('Plate Shop', box(150, 120, 310, 185), {
        floors: [floor('Ground', 0), floor('Offices', 7)],
        doors: [door(150, 150, 8), door(230, 120, 8), door(310, 150, 1.5)],
      }),
      restricted('Paint Hall', box(345, 0, 415, 60)),
      restricted('Gas Store', [
        [345, 120],
        [385, 120],
        [400, 140],
        [400, 165],
        [345, 165],
      ]),
      privacy('Changing Room', box(20, 125, 60, 150), { doors: [door(40, 125, 1.8)] }),
      assemblyPoint('Car Park', box(40, 215, 110, 250), ['general', 'earthquake'], 4, 150),
      assemblyPoint('Monte Alto', box(560, 430, 610, 470), ['general', 'tsunami', 'earthquake'], 38, 300),
    ],
    [
      // The ria, with the slipway, the dry dock and the quay in it.
      [
        [-200, -340],
        [620, -340],
        [620, -75],
        [125, -75],
        [125, -110],
        [75, -110],
        [75, -60],
        [46, -60],
        [46, -140],
        [0, -140],
        [0, -60],
        [-200, -60],
      ],
    ],
  ),
  permits: [
    { zone: 'Paint Hall', reference: 'PT-0871', holders: 2, inside: 1, forMs: 8 * HOUR_MS },
    { zone: 'Gas Store', reference: 'PT-0874', holders: 1, inside: 0, forMs: null },
  ],
  vehicles: [
    { name: 'Forklift 1', type: 'forklift', role: 'Forklift driver' },
    { name: 'Block transporter', type: 'self-propelled transporter', role: 'Gantry crane operator' },
  ],
};

/** In the order of their watches. [cli, default world] */
export const DEFAULT_COMPANIES: readonly DefaultCompany[] = [
  {
    name: 'Austral Metales y Puertos',
    contract: {
      includeWorkerNames: true,
      scopes: SCOPES,
      contractors: null,
      technicalContact: 'integration@austral.example',
    },
    plants: [TERMINAL, SMELTER],
  },
  {
    name: 'Naval Ría Brava',
    contract: {
      includeWorkerNames: false,
      scopes: SCOPES,
      contractors: ['Soldaduras Ártabra'],
      technicalContact: 'sistemas@riabrava.example',
    },
    plants: [SHIPYARD],
  },
];
