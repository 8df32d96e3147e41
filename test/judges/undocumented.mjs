/** What Redocly does not look at: a status, a media type or a missing header that the document knows nothing of. */

/** Of the recorded exchanges (HAR entries), what the document does not foresee, in words. */
export const undocumented = (document, entries) => [...new Set(entries.flatMap((entry) => wrongOf(document, entry)))];

function wrongOf(document, { request, response }) {
  const { pathname } = new URL(request.url);
  const told = `${request.method} ${pathname.slice(0, 100)} ${response.status}`;
  const operation = operationFor(document, request.method, pathname);
  if (operation === undefined) return [`${told} is no operation of the document`];
  const promised = resolved(document, operation.responses[response.status]);
  if (promised === undefined) return [`${told} is not documented`];
  const wrong = [];
  for (const [name, { required = false }] of Object.entries(promised.headers ?? {}))
    if (required && headerOf(response, name) === undefined) wrong.push(`${told} lacks the header ${name}`);
  const type = (headerOf(response, 'content-type') ?? '').split(';')[0];
  if (promised.content === undefined) {
    if (response.content.size > 0) wrong.push(`${told} should have no body`);
  } else if (promised.content[type] === undefined)
    wrong.push(`${told} is documented as ${Object.keys(promised.content)}, not "${type}"`);
  return wrong;
}

function operationFor({ paths }, method, pathname) {
  const segments = pathname.split('/');
  const fits = (template) => {
    const parts = template.split('/');
    return (
      parts.length === segments.length && parts.every((part, place) => part.startsWith('{') || part === segments[place])
    );
  };
  return Object.entries(paths).find(([template]) => fits(template))?.[1][method.toLowerCase()];
}

const resolved = ({ components }, response) =>
  response?.$ref === undefined ? response : components.responses[response.$ref.split('/').at(-1)];

const headerOf = ({ headers }, name) => headers.find((one) => one.name.toLowerCase() === name.toLowerCase())?.value;
