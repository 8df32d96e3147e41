/** The nodes that share a database, as a client lists them. */
import { type Static, Type } from 'typebox';
import { closed, described, inline, whole } from '../shapes.ts';

export const NodeList = closed('NodeList', 'The running nodes, the oldest first. Empty if the sandbox has no nodes.', {
  nodes: Type.Array(
    inline({
      name: described(Type.String(), 'As in up --node.'),
      address: described(Type.String(), 'Base address of its API; empty while it starts.'),
      sites: described(whole(0), 'Sites whose watches it serves.'),
      destinations: described(whole(0), 'Webhook destinations that it delivers to.'),
      clock_ahead_ms: described(
        Type.Integer(),
        "By how much the clock of its machine is ahead of the database's, in milliseconds; negative: behind. Beyond 1000 the node takes no changes.",
      ),
      is_self: described(Type.Boolean(), 'The node that answers.'),
    }),
  ),
});

export type NodeList = Static<typeof NodeList>;
