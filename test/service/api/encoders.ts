/** The exact query strings in which HTTP libraries send a list, taken from the libraries; `test/product/encoders.test.ts` asks those that are installed again. */

/** Both values; `separate`: as a list. `encoded`: by an encoded comma. `brackets`: the form that is refused with a hint. */
export type Spelling = 'separate' | 'comma' | 'encoded' | 'brackets';

export interface Encoded {
  /** Library, version and call. */
  readonly by: string;
  readonly spelling: Spelling;
  /** The list status: acknowledged, resolved. */
  readonly status: string;
  /** The list contractor: "Acme, Inc.", "Norte". Joined lists have the two names in one value. */
  readonly contractor: string;
}

const REPEATED = 'status=acknowledged&status=resolved';
const JOINED = 'status=acknowledged%2Cresolved';
/** As `application/x-www-form-urlencoded` and as RFC 3986 write a space. */
const FORM = {
  repeated: 'contractor=Acme%2C+Inc.&contractor=Norte',
  joined: 'contractor=Acme%2C+Inc.%2CNorte',
};
const URI = {
  repeated: 'contractor=Acme%2C%20Inc.&contractor=Norte',
  joined: 'contractor=Acme%2C%20Inc.%2CNorte',
};

const repeated = (by: string, { repeated: contractor } = FORM): Encoded => ({
  by,
  contractor,
  spelling: 'separate',
  status: REPEATED,
});
const joined = (by: string, { joined: contractor } = FORM): Encoded => ({
  by,
  contractor,
  spelling: 'encoded',
  status: JOINED,
});

export const ENCODED: readonly Encoded[] = [
  repeated('Node 20 URLSearchParams.append'),
  joined('Node 20 new URLSearchParams({status: list})'),
  {
    by: 'axios 1.21 params: {status: list}',
    spelling: 'brackets',
    status: 'status%5B%5D=acknowledged&status%5B%5D=resolved',
    contractor: 'contractor%5B%5D=Acme,+Inc.&contractor%5B%5D=Norte',
  },
  {
    by: 'axios 0.27 params: {status: list}',
    spelling: 'brackets',
    status: 'status[]=acknowledged&status[]=resolved',
    contractor: 'contractor[]=Acme,+Inc.&contractor[]=Norte',
  },
  {
    by: 'axios 1.21 paramsSerializer: {indexes: true}',
    spelling: 'brackets',
    status: 'status%5B0%5D=acknowledged&status%5B1%5D=resolved',
    contractor: 'contractor%5B0%5D=Acme,+Inc.&contractor%5B1%5D=Norte',
  },
  {
    // The only library of the table that does not encode a comma within a value.
    by: 'axios 1.21 params: {status: list.join()}',
    spelling: 'comma',
    status: 'status=acknowledged,resolved',
    contractor: 'contractor=Acme,+Inc.,Norte',
  },
  joined('got 14 searchParams: {status: list.join()}'),
  repeated('got 14 searchParams: new URLSearchParams(pairs)'),
  joined('ky 1 searchParams: {status: list.join()}'),
  repeated('superagent 10 query({status: list})', URI),
  joined('superagent 10 query({status: list.join()})', URI),
  {
    by: 'qs 6 stringify({status: list})',
    spelling: 'brackets',
    status: 'status%5B0%5D=acknowledged&status%5B1%5D=resolved',
    contractor: 'contractor%5B0%5D=Acme%2C%20Inc.&contractor%5B1%5D=Norte',
  },
  repeated('qs 6 arrayFormat: repeat', URI),
  joined('qs 6 arrayFormat: comma', URI),
  {
    by: 'query-string 9 arrayFormat: comma',
    spelling: 'comma',
    status: 'status=acknowledged,resolved',
    contractor: 'contractor=Acme%2C%20Inc.,Norte',
  },
  repeated('Python urlencode(doseq=True)'),
  joined('Python urlencode of a joined list'),
  repeated('Python requests 2 params={"status": list}'),
  joined('Python requests 2 params={"status": ",".join(list)}'),
  repeated('Python httpx 0.23 params={"status": list}'),
  joined('Python httpx 0.23 params={"status": ",".join(list)}'),
  repeated('Go url.Values'),
  joined('Go url.Values.Set of a joined list'),
  joined('Java URLEncoder of a joined list'),
  repeated('Ruby URI.encode_www_form of a list'),
  joined('Ruby URI.encode_www_form of a joined list'),
  {
    by: 'PHP http_build_query of a list',
    spelling: 'brackets',
    status: 'status%5B0%5D=acknowledged&status%5B1%5D=resolved',
    contractor: 'contractor%5B0%5D=Acme%2C+Inc.&contractor%5B1%5D=Norte',
  },
  joined('PHP http_build_query of a joined list'),
  joined('PHP http_build_query of a joined list, RFC 3986', URI),
  joined('C# FormUrlEncodedContent of a joined list'),
  repeated('openapi-fetch 0.17', URI),
  repeated('hey-api 0.95 client-fetch', URI),
  repeated('swagger-typescript-api 13.13 fetch', URI),
  repeated('openapi-typescript-codegen 0.31 fetch', URI),
  repeated('orval 7.13 client: fetch'),
  {
    // It hands the list to axios as it is.
    by: 'orval 7.13 client: axios',
    spelling: 'brackets',
    status: 'status%5B%5D=acknowledged&status%5B%5D=resolved',
    contractor: 'contractor%5B%5D=Acme,+Inc.&contractor%5B%5D=Norte',
  },
  {
    by: 'openapi-fetch 0.17 explode: false',
    spelling: 'comma',
    status: 'status=acknowledged,resolved',
    contractor: 'contractor=Acme%2C%20Inc.,Norte',
  },
];
