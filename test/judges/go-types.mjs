/** Go types from an OpenAPI 3.0 document, as its Go generators make them: structs, pointers for what may be null or absent, unions by their discriminator. */

import { flat } from './closed.mjs';

/** The source of a package `main` with a type for each schema. */
export function goTypes(document) {
  const { schemas } = flat(document).components;
  const types = Object.entries(schemas).map(([name, schema]) => declaration(name, schema, schemas));
  return `// Package main has types that are generated from the OpenAPI 3.0 document.\npackage main\n\nimport (\n\t"encoding/json"\n\t"fmt"\n)\n\n${types.join('\n')}`;
}

function declaration(name, schema, schemas) {
  if (schema.oneOf !== undefined) return union(name, schema);
  if (schema.properties !== undefined) return `type ${name} ${struct(schema, schemas, name)}\n`;
  const words = (schema.enum ?? []).map((word) => `\t${name}${exported(word)} ${name} = ${JSON.stringify(word)}\n`);
  const constants = words.length === 0 ? '' : `\nconst (\n${words.join('')})\n${enumeration(name, schema.enum)}`;
  return `type ${name} ${typeOf(schema, schemas, name)}\n${constants}`;
}

/** A closed set of words refuses any other. */
const enumeration = (name, words) => `
func (v *${name}) UnmarshalJSON(text []byte) error {
	var word string
	if err := json.Unmarshal(text, &word); err != nil {
		return err
	}
	switch word {
	case ${words.map((word) => JSON.stringify(word)).join(', ')}:
		*v = ${name}(word)
		return nil
	}
	return fmt.Errorf("${name}: %q", word)
}
`;

/** The variant is chosen by the word of the discriminator; a word that the document does not have is an error. */
function union(name, { oneOf, discriminator: { propertyName, mapping } }) {
  const cases = oneOf.map(({ $ref }) => {
    const words = Object.entries(mapping).flatMap(([word, to]) => (to === $ref ? [JSON.stringify(word)] : []));
    return `\tcase ${words.join(', ')}:\n\t\tv.Value = new(${nameOf($ref)})\n`;
  });
  return `type ${name} struct{ Value interface{} }

func (v *${name}) UnmarshalJSON(text []byte) error {
	var head struct {
		Word string \`json:"${propertyName}"\`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return err
	}
	switch head.Word {
${cases.join('')}	default:
		return fmt.Errorf("${name}: unknown ${propertyName} %q", head.Word)
	}
	return json.Unmarshal(text, v.Value)
}

func (v ${name}) MarshalJSON() ([]byte, error) { return json.Marshal(v.Value) }
`;
}

function struct({ properties, required = [] }, schemas, owner) {
  const fields = Object.entries(properties).map(([key, schema]) => {
    const isRequired = required.includes(key);
    const inner = typeOf(schema, schemas, `${owner}.${key}`);
    // A slice is null by itself; null and absent differ by the tag alone.
    const type = isRequired && schema.nullable !== true ? inner : `*${inner}`;
    return `\t${exported(key)} ${type} \`json:"${key}${isRequired ? '' : ',omitempty'}"\`\n`;
  });
  return `struct {\n${fields.join('')}}`;
}

/** The type without null. What this converter does not know stops it: nothing may be read as anything. */
function typeOf(schema, schemas, place) {
  const { $ref, allOf, type, format, items, properties, additionalProperties } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if (allOf?.length === 1 && allOf[0].$ref !== undefined) return nameOf(allOf[0].$ref);
  if (properties !== undefined) return struct(schema, schemas, place);
  if (type === 'array') return `[]${items.nullable === true ? '*' : ''}${typeOf(items, schemas, `${place}[]`)}`;
  if (type === 'object' && typeof additionalProperties === 'object')
    return `map[string]${typeOf(additionalProperties, schemas, `${place}.*`)}`;
  const plain = { string: 'string', boolean: 'bool', integer: 'int64', number: 'float64' }[type];
  if (plain === undefined || (format === 'binary' && type === 'string'))
    throw new Error(`${place}: no Go type for ${JSON.stringify(schema)}`);
  return plain;
}

const nameOf = ($ref) => $ref.split('/').at(-1);
const exported = (word) =>
  String(word).replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9]?)/g, (_, letter) => letter.toUpperCase());
