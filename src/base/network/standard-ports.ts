/** Port numbers that more than one module knows: the highest one, and those that a sandbox and a broker have by default. [cli, up] */

/** A TCP port has 16 bits. */
export const HIGHEST_PORT = 65_535;

/** The API of a sandbox. */
export const API_PORT = 4600;

/** MQTT without TLS, as IANA registers it. */
export const MQTT_PORT = 1883;

/** MQTT over TLS, as IANA registers it. */
export const MQTTS_PORT = 8883;
