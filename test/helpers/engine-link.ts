/** Links without sockets: what a watch sends goes straight to the engine as the broker would read it, so that hours pass in seconds. */

import { parseWatchTopic, type UpLeaf } from '../../src/contract/watch.ts';
import type { DialLink, Link } from '../../src/fleet/connection/link.ts';
import { readUplink } from '../../src/service/broker/uplink.ts';
import type { Engine } from '../../src/service/engine/engine.ts';

/** Uplinks reach the engine; there are no downlinks. */
export function engineLinks(
  engine: Engine,
  onUplink: (serial: string, topic: UpLeaf, payload: Buffer) => void = () => {},
): DialLink {
  return ({ serial }, listener) => {
    let open = true;
    const down = (): void => {
      if (!open) return;
      open = false;
      engine.clock.soon(() => listener.linkDown('ended'));
    };
    const link: Link = {
      send(name, text, _qos, _retain, sent) {
        const payload = Buffer.from(text);
        const topic = parseWatchTopic(name) as UpLeaf;
        const device = engine.world.need('device', engine.world.indexes.deviceId(serial)!);
        onUplink(serial, topic, payload);
        const reading = readUplink(device, topic, payload);
        if (reading.is === 'breach') throw new Error(`${name}: ${reading.why}`);
        const accepted = reading.is === 'death' ? Promise.resolve() : engine.submit(reading.command);
        void accepted.then(() => open && sent());
      },
      ping(answered) {
        engine.contact(engine.world.indexes.deviceId(serial)!);
        engine.clock.soon(answered);
      },
      break: down,
      leave: down,
    };
    engine.clock.soon(() => open && listener.linkUp());
    return link;
  };
}
