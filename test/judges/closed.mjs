/**
 * A document whose objects forbid other fields than those that it lists. The published responses leave room for fields of
 * later versions; for judges, what this version sends must have the documented fields and no other.
 */
export const closed = (document) => closedPart(flat(document));

/** The document with the fields of a base in each schema that refers to it, for readers that need them in one place. */
export function flat(document) {
  const { schemas } = document.components;
  const bases = new Set();
  const merged = Object.entries(schemas).map(([name, schema]) => {
    const { allOf, ...rest } = schema;
    if (allOf === undefined || schema.nullable === true || allOf.length < 2) return [name, schema];
    const parts = allOf.map((part) => (part.$ref === undefined ? part : schemas[part.$ref.split('/').at(-1)]));
    for (const { $ref } of allOf) if ($ref !== undefined) bases.add($ref.split('/').at(-1));
    const required = parts.flatMap((part) => part.required ?? []);
    return [
      name,
      { type: 'object', ...rest, required, properties: Object.assign({}, ...parts.map((one) => one.properties)) },
    ];
  });
  return {
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(merged.filter(([name]) => !bases.has(name))) },
  };
}

function closedPart(value) {
  if (Array.isArray(value)) return value.map(closedPart);
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([key, part]) => [key, isExample(key) ? part : closedPart(part)]);
  const isOpen = typeof value.properties === 'object' && !('additionalProperties' in value);
  return Object.fromEntries(isOpen ? [...parts, ['additionalProperties', false]] : parts);
}

const isExample = (key) => key === 'example' || key === 'examples';
