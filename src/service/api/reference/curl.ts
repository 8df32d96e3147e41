/** A curl line for each operation, with variables for what differs between callers. */
import type { Media, PublishedOperation } from '../openapi/document.ts';

export function curlOf(method: string, url: string, operation: PublishedOperation): string {
  const named = url.replace(/\{(\w+)\}/g, (_, name: string) => `$${name === 'id' ? 'WEBHOOK_ID' : name.toUpperCase()}`);
  const parts = [`curl -s "${named}"`];
  if (method !== 'get') parts.push(`-X ${method.toUpperCase()}`);
  if (operation.security.length > 0) parts.push('-H "Authorization: Bearer $TOKEN"');
  const content = operation.requestBody?.content;
  const form = content?.['application/x-www-form-urlencoded'];
  const json = content?.['application/json'];
  if (form !== undefined) return [`curl -s "${named}"`, ...formParts(form)].join(' \\\n  ');
  if (json !== undefined) {
    parts.push("-H 'Content-Type: application/json'");
    parts.push(`-d '${JSON.stringify(firstExample(json) ?? {}, null, 2).replaceAll("'", "'\\''")}'`);
  }
  return parts.join(' \\\n  ');
}

/** Variables of `sandbox env`. */
const FROM_ENV: Readonly<Record<string, string>> = {
  client_id: '$SANDBOX_CLIENT_ID',
  client_secret: '$SANDBOX_CLIENT_SECRET',
};

const formParts = (media: Media): string[] =>
  Object.entries((firstExample(media) ?? {}) as Record<string, string>).map(
    ([key, value]) => `-d ${key}=${FROM_ENV[key] ?? value}`,
  );

const firstExample = ({ examples }: Media): unknown => Object.values(examples ?? {})[0]?.value;
