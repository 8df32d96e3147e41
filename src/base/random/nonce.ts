/** Marks that no input can contain. */

/** An unguessable text. `crypto` is loaded on first use, because few commands need a mark. */
export const nonce = (): string => process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex');
