/** The reason of a broker for refusing a CONNECT, in words: for watches, and for the service at an external broker. */

/** Return codes of MQTT 3.1.1, then reason codes of MQTT 5. [MQTT-3.2.2-3; MQTT 5: 3.2.2.2] */
const REFUSED: readonly (readonly [codes: readonly number[], why: string])[] = [
  [[1, 132], 'does not speak this version of MQTT'],
  [[2, 133], 'refused the client id'],
  [[3, 136], 'says that its service is not available'],
  [[4, 134], 'refused the user name or the SECRET'],
  [[5, 135], 'says that this client is not authorised'],
  [[138], 'has banned this client'],
  [[140], 'asks for another way of authentication'],
];

/** A broker that supports only MQTT 3.1.1 answers MQTT 5 with the 3.1.1 code. */
export const isWrongVersion = (code: number): boolean => code === 1 || code === 132;

/** `secret`: the name of the credential besides the user name. Returns null for a code that is not listed. */
export function refusalOf(code: number, secret: 'key' | 'password'): string | null {
  const why = REFUSED.find(([codes]) => codes.includes(code))?.[1];
  return why === undefined ? null : `the broker ${why.replace('SECRET', secret)}`;
}
