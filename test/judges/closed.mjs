/**
 * A document whose objects forbid other fields than those that it lists. The published responses leave room for fields of
 * later versions; for judges, what this version sends must have the documented fields and no other.
 */
export function closed(value) {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([key, part]) => [key, isExample(key) ? part : closed(part)]);
  const isOpen = typeof value.properties === 'object' && !('additionalProperties' in value);
  return Object.fromEntries(isOpen ? [...parts, ['additionalProperties', false]] : parts);
}

const isExample = (key) => key === 'example' || key === 'examples';
