/** How a stay is named: one of a watch in a zone. */
export const stayId = (deviceId: string, zoneId: string): string => `${deviceId}/${zoneId}`;
