/** Port numbers that several modules use: the highest one, and the defaults of a sandbox and a broker. [cli, up] */

/** The highest TCP port: a port has 16 bits. */
export const HIGHEST_PORT = 65_535;

/** The default port of a sandbox's API. */
export const API_PORT = 4600;

/** MQTT without TLS, as IANA registers it. */
export const MQTT_PORT = 1883;

/** MQTT over TLS, as IANA registers it. */
export const MQTTS_PORT = 8883;
