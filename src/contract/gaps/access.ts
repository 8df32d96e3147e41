/** Open points about tokens, and about objects that a client may not see. [decisions 2, 3] */
import type { OpenPoint } from './gap.ts';

export const ACCESS_POINTS = [
  {
    id: 'token-json',
    clause: '4 Token request',
    question: 'In which encoding is a token requested?',
    here: 'application/x-www-form-urlencoded; on: also JSON, with a warning in the request log; off: 415.',
    readings: ['on', 'off'],
    switch: 'token-json',
    observed: 'by a token request as JSON',
  },
  {
    id: 'token-credentials',
    clause: '4 Token request',
    question: 'May credentials travel by HTTP Basic?',
    here: 'on: yes, form-decoded or raw; not both ways at once (400 invalid_request). off: in the body only; without them there 401 invalid_client.',
    readings: ['on', 'off'],
    switch: 'token-basic',
    observed: 'by a token request with HTTP Basic',
  },
  {
    id: 'token-failures',
    clause: '5',
    question: 'What does a wrong or missing secret answer?',
    here: '401: invalid_client with WWW-Authenticate: Basic; 400: invalid_client without it. An empty parameter counts as missing. After 20 failures for one client_id within a minute 429; failures from a foreign web page (Origin) are not counted.',
    readings: ['401', '400'],
    switch: 'wrong-secret',
    observed: 'by a token request of a client that nobody has',
  },
  {
    id: 'revocation',
    clause: '5',
    question: 'How is a token revoked?',
    here: 'Not through the API.',
    unobserved: 'An endpoint that revokes has no name in the specification.',
  },
  {
    id: 'foreign-objects',
    clause: '5, 7',
    question: 'What does an object of another company answer?',
    here: "404 not_found; a site named by path, query or filter that is not the client's: 403 site_not_accessible, whether or not it exists. The switch is the status for such a site: 404 is not_found.",
    readings: ['403', '404'],
    switch: 'foreign-objects',
    observed: 'by the zones of a site of nobody',
  },
] as const satisfies readonly OpenPoint[];
