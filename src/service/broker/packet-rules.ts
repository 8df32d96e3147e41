/** Packet rules of MQTT 3.1.1 that the parser does not enforce. Pure. */
import type { Packet } from 'mqtt-packet';

/** Why the packet ends its connection; null if it is valid. */
export function breachOf(packet: Packet): string | null {
  if (packet.messageId === 0) return `a ${packet.cmd.toUpperCase()} has a packet identifier above 0 [MQTT-2.3.1-1]`;
  const text = forbiddenText(packet);
  if (text !== undefined)
    return text.includes('\0')
      ? 'a text holds the character U+0000 [MQTT-1.5.3-2]'
      : 'a text is no well-formed UTF-8 [MQTT-1.5.3-1]';
  if (packet.cmd === 'publish' && packet.dup && packet.qos === 0) return 'DUP is 0 where the QoS is 0 [MQTT-3.3.1-2]';
  if (packet.cmd === 'connect' && packet.password !== undefined && packet.username === undefined)
    return 'a password needs a user name [MQTT-3.1.2-22]';
  return null;
}

const FORBIDDEN = /[\0\uFFFD]/;

/** The first string of the packet with a character that MQTT forbids. A PUBLISH has one string, and needs no list. */
function forbiddenText(packet: Packet): string | undefined {
  if (packet.cmd === 'publish') return FORBIDDEN.test(packet.topic) ? packet.topic : undefined;
  return textsOf(packet).find((one) => one !== undefined && FORBIDDEN.test(one));
}

/** Every string of the packet, except of a PUBLISH. Invalid UTF-8 was decoded to U+FFFD, which no valid name contains. */
function textsOf(packet: Packet): (string | undefined)[] {
  switch (packet.cmd) {
    case 'connect':
      return [packet.clientId, packet.username, packet.will?.topic];
    case 'subscribe':
      return packet.subscriptions.map(({ topic }) => topic);
    case 'unsubscribe':
      return packet.unsubscriptions;
    default:
      return [];
  }
}
