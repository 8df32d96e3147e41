/** Default sizes of a plant if its site file sets none. Readers of the file report them, and emulated people use them. */

/** A building without doors gets one of this width in the middle of each side: a double door for people; metres. */
export const DEFAULT_DOOR_M = 1.2;

/** A building with floors but without stairs gets one stair of this width in its middle; metres. */
export const DEFAULT_STAIR_M = 1.2;

/** An assembly point without a capacity holds this number of people per square metre. [realism 7.3] */
export const DEFAULT_ROOM_PER_M2 = 2;
