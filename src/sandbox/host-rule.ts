/** Which hosts are this machine, and by which Host header the panel may be asked for. [decisions 10] */

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

/** On a loopback address, its own names; on another host nobody until the panel asks for the control token. */
export function hostRule(host: string, publicUrl: string | undefined): (header: string | undefined) => boolean {
  const known = publicUrl === undefined ? null : new URL(publicUrl).host;
  return (header) => {
    if (header === undefined || !isLoopback(host)) return false;
    return header === known || isLoopback(header.replace(/:\d+$/, ''));
  };
}
