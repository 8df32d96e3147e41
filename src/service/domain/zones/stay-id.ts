/** The id of a stay of a watch in a zone. */
export const stayId = (deviceId: string, zoneId: string): string => `${deviceId}/${zoneId}`;
