/** The e-mails about lost deliveries that are stored. [spec 6.6, decisions 7] */
import type { ChangeOf } from '../changes.ts';
import type { CommandOf } from '../commands.ts';
import type { World } from '../world/world.ts';

/** The number of e-mails kept; the oldest are removed. */
export const MAILS_KEPT = 1_000;

export function keepMail(world: World, { mail, lostIds }: CommandOf<'keep-mail'>): ChangeOf<'mail-kept'> {
  const kept = [...world.all('mail')].filter(({ id }) => id !== mail?.id);
  kept.sort((a, b) => a.at - b.at);
  const forgotten = mail === null ? [] : kept.slice(0, Math.max(0, kept.length + 1 - MAILS_KEPT)).map(({ id }) => id);
  return { kind: 'mail-kept', mail, lostIds, forgotten };
}
