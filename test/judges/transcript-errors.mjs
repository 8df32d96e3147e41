/** Scenes of a client that does something wrong: each refusal with its status, its code and its header. */

const NOBODY = '00000000-0000-4000-8000-000000000000';
const MADE_UP = `"$API/v1/alerts/${NOBODY}"`;

/** So many requests a minute are a limit that a few calls reach. */
const FEW = 5;

const FORM = '-d grant_type=client_credentials';
const BY_CONTROL = `-H "Authorization: Bearer $CONTROL" -H 'Content-Type: application/json'`;

export async function tokensInThreeWays(book) {
  book.scene('A token in three ways');
  const token = { show: cut };
  book.say('By a form, as RFC 6749 writes it');
  const { body } = await book.curl(
    `"$API/v1/oauth/token" ${FORM} -d client_id="$ID" -d client_secret="$SECRET"`,
    200,
    token,
  );
  book.set('TOKEN', body.access_token, { secret: true });
  book.say('By HTTP Basic');
  await book.curl(`"$API/v1/oauth/token" ${FORM} -u "$ID:$SECRET"`, 200, token);
  book.say('By JSON, which leaves a warning in the request log: production may refuse it');
  const json = `"{\\"grant_type\\": \\"client_credentials\\", \\"client_id\\": \\"$ID\\", \\"client_secret\\": \\"$SECRET\\"}"`;
  await book.curl(`"$API/v1/oauth/token" -H 'Content-Type: application/json' -d ${json}`, 200, token);
  book.say('A wrong secret: the error of RFC 6749, and a challenge');
  const wrong = await book.curl(`"$API/v1/oauth/token" ${FORM} -u "$ID:wrong"`, 401);
  book.expect('the challenge is Basic', wrong.headers['www-authenticate']?.startsWith('Basic ') === true);
  book.say('A token of one scope only, and one of the other company');
  const scoped = await book.curl(`"$API/v1/oauth/token" ${FORM} -u "$ID:$SECRET" -d scope=workers:read`, 200, token);
  book.set('NARROW', scoped.body.access_token, { secret: true });
  await tokenOfTheOther(book);
}

export async function refusals(book, { alert }) {
  const refused = (args, status, code) => tellRefusal(book, args, status, code);
  const auth = '-H "Authorization: Bearer $TOKEN"';
  const json = `${auth} -H 'Content-Type: application/json'`;

  book.scene('401: who are you');
  await refused('"$API/v1/sites"', 401, 'invalid_token');
  await refused('"$API/v1/sites" -H "Authorization: Bearer made_up"', 401, 'invalid_token');
  book.say('A token that is revoked');
  await book.curl(
    `"$API/v1/sandbox/actions" ${BY_CONTROL} -d "{\\"action\\": \\"token\\", \\"revoke\\": \\"$OTHER_ID\\"}"`,
    200,
  );
  const revoked = await refused('"$API/v1/sites" -H "Authorization: Bearer $OTHER"', 401, 'invalid_token');
  book.expect('the detail says so', /revoked/.test(revoked.body?.detail ?? ''));
  await tokenOfTheOther(book);

  book.scene('403 of both kinds');
  book.say('The token lacks the scope');
  const scope = await refused('"$API/v1/alerts" -H "Authorization: Bearer $NARROW"', 403, 'insufficient_scope');
  book.expect('the challenge names it', /insufficient_scope/.test(scope.headers['www-authenticate'] ?? ''));
  book.say(
    'A site of the other company, and one that does not exist: told in the same words, so nobody learns which is which',
  );
  const [theirs, none] = [
    await refused(`"$API/v1/alerts?site_id=$OTHER_SITE" ${auth}`, 403, 'site_not_accessible'),
    await refused(`"$API/v1/alerts?site_id=${NOBODY}" ${auth}`, 403, 'site_not_accessible'),
  ];
  book.expect('the two answers are equal', theirs.text === none.text);

  book.scene('404 and 405');
  await refused(`${MADE_UP} ${auth}`, 404, 'not_found');
  await refused(`"$API/v1/nothing" ${auth}`, 404, 'not_found');
  const method = await refused(`-X PUT "$API/v1/alerts" ${auth}`, 405, 'method_not_allowed');
  book.expect('Allow names GET', /\bGET\b/.test(method.headers['allow'] ?? ''));

  book.scene('409: a resolved alert cannot be acknowledged');
  const update = (status) =>
    `-X PATCH "$API/v1/alerts/${alert}" ${json} -d '{"status": "${status}", "actor": {"name": "Desk 1"}}'`;
  const told = { show: ({ status, acknowledged, resolved }) => ({ status, acknowledged, resolved }) };
  await book.curl(update('resolved'), 200, told);
  book.say('Once more: it has that status already, so a client may retry safely');
  await book.curl(update('resolved'), 200, told);
  await refused(update('acknowledged'), 409, 'invalid_transition');

  book.scene('413 and 415: a body that is too large, and one of another type');
  const large = `"$API/v1/webhooks" ${json} -d "$(head -c 70000 /dev/zero | tr '\\0' x)"`;
  await refused(large, 413, 'payload_too_large');
  await refused(`"$API/v1/webhooks" ${auth} -H 'Content-Type: text/plain' -d hello`, 415, 'unsupported_media_type');

  book.scene('422: what is wrong, and where');
  const body = '\'{"status": "acknowledged", "actor": {"name": ""}, "colour": "red"}\'';
  const invalid = await refused(`-X PATCH "$API/v1/alerts/${alert}" ${json} -d ${body}`, 422, 'validation_failed');
  const pointers = (invalid.body?.errors ?? []).map(({ pointer }) => pointer);
  book.expect(
    'it points to /actor/name and to /colour',
    ['/actor/name', '/colour'].every((one) => pointers.includes(one)),
  );
  book.say('A misspelt filter does not look like no filter');
  await refused(`"$API/v1/alerts?statuss=resolved" ${auth}`, 422, 'validation_failed');
  await refused(`"$API/v1/alerts?cursor=abc" ${auth}`, 422, 'invalid_cursor');
}

/** Both limits at once, each by a company of its own, so that one minute is enough for both. */
export async function limits(book, { wait }) {
  const act = (fields) => `"$API/v1/sandbox/actions" ${BY_CONTROL} -d ${fields}`;
  const [mine, theirs] = [
    '"$API/v1/sites" -H "Authorization: Bearer $TOKEN"',
    '"$API/v1/sites" -H "Authorization: Bearer $OTHER"',
  ];
  const brief = { show: ({ data }) => ({ data: data.map(({ name }) => name) }) };

  book.scene('429 of both kinds');
  book.say(`So many requests have been made in this minute that ${FEW} are too few`);
  await book.curl(
    act(`"{\\"action\\": \\"limits\\", \\"company\\": \\"$ID\\", \\"requests_per_minute\\": ${FEW}}"`),
    200,
  );
  const many = await tellRefusal(book, mine, 429, 'rate_limited');
  book.say('The other company has spent more query time than the tenth of a millisecond that it has now');
  const little = '"query_seconds_per_minute": 0.0001'.replaceAll('"', '\\"');
  await book.curl(act(`"{\\"action\\": \\"limits\\", \\"company\\": \\"$OTHER_ID\\", ${little}}"`), 200);
  const slow = await tellRefusal(book, theirs, 429, 'query_time_exceeded');
  const waits = [many, slow].map(({ headers }) => Number(headers['retry-after']));
  const areFair = waits.every((seconds) => Number.isInteger(seconds) && seconds >= 1 && seconds <= 60);
  book.expect('Retry-After is 1 to 60 whole seconds', areFair);
  if (!areFair) return;

  if (wait) {
    book.say('Retry-After is a promise: after it, both are admitted');
    await book.command(`sleep ${Math.max(...waits)}`);
  } else {
    book.say('Retry-After is not waited for here (leave out --no-wait to see it kept); wider limits admit at once');
    const wide = '\\"requests_per_minute\\": 600, \\"query_seconds_per_minute\\": 1000000}"';
    for (const company of ['$ID', '$OTHER_ID'])
      await book.curl(act(`"{\\"action\\": \\"limits\\", \\"company\\": \\"${company}\\", ${wide}`), 200);
  }
  await book.curl(mine, 200, brief);
  await book.curl(theirs, 200, brief);
}

async function tokenOfTheOther(book) {
  const { body } = await book.curl(`"$API/v1/oauth/token" ${FORM} -u "$OTHER_ID:$OTHER_SECRET"`, 200, { show: cut });
  book.set('OTHER', body.access_token, { secret: true });
}

const cut = ({ access_token, ...rest }) => ({ access_token: `${access_token.slice(0, 6)}…`, ...rest });

async function tellRefusal(book, args, status, code) {
  const answer = await book.curl(args, status);
  const told = answer.body?.code;
  if (told !== code) book.expect(`the code is ${code}, not ${told}`, false);
  return answer;
}
