/** The token endpoint. [spec 1, decisions 3] */
import { TokenRequest, TokenResponse } from '../requests.ts';
import { operation, TOKEN_PATH } from './operation.ts';

export const issueToken = operation('POST', TOKEN_PATH, 'none', {
  operationId: 'issueToken',
  tag: 'Authentication',
  summary: 'Get an access token',
  description: `OAuth 2.0 \`client_credentials\`: the token is opaque, lives 3600 s and carries its scopes. Request a token, keep it, and request a new one when it expires or a call gets 401.

Send the credentials either in the body or by HTTP Basic, not both. The body is form-encoded (RFC 6749). JSON is accepted too, with a warning in the request log, because production may refuse it. Errors have the format of RFC 6749 section 5.2. After 20 failed attempts for one client within a minute the answer is 429.

A wrong secret is 401 \`invalid_client\` with a \`WWW-Authenticate\` header, as RFC 6749 requires. Generic OAuth clients (oauth4webapi, openid-client) report it as an error of a \`WWW-Authenticate\` challenge, not as \`invalid_client\`.`,
  reads: { media: ['application/x-www-form-urlencoded', 'application/json'], schema: () => TokenRequest },
  answers: { 200: TokenResponse },
});
