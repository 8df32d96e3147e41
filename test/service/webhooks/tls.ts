/** A TLS server on loopback that presents a certificate of `ok.example` which nobody signed but itself. */
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';

/** Made for this test with `openssl req -x509 -newkey ec -nodes -days 36500`; it opens nothing. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9bo3bFKVf0ygHYZl
2BHmzMmZIGKCWJ33YlZEOj7c3k+hRANCAAQcKvBfO70poQUrjYUJ071oC8qcPqCX
WbXX+OrIFOvoz2JSpj9mERSWnLVC6ncY7LQoR7aNCvFyQLfIa7NqEvrR
-----END PRIVATE KEY-----`;
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmDCCAT6gAwIBAgIUQ1i3MMigZevefATeayV4thT24T4wCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKb2suZXhhbXBsZTAgFw0yNjExMjExMTA5NDhaGA8yMTI2MTAy
ODExMDk0OFowFTETMBEGA1UEAwwKb2suZXhhbXBsZTBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABBwq8F87vSmhBSuNhQnTvWgLypw+oJdZtdf46sgU6+jPYlKmP2YR
FJactULqdxjstChHto0K8XJAt8hrs2oS+tGjajBoMB0GA1UdDgQWBBRhV7gAwQlL
asvqj644iwiQmPdPGDAfBgNVHSMEGDAWgBRhV7gAwQlLasvqj644iwiQmPdPGDAP
BgNVHRMBAf8EBTADAQH/MBUGA1UdEQQOMAyCCm9rLmV4YW1wbGUwCgYIKoZIzj0E
AwIDSAAwRQIgGmfXqtYUuEuA717WOtwmpArMbvOhZ1dL2aaVIPT/THsCIQC3ErYj
L4SJTjjs+ftswpLtBqFfggFKkfE8W2in8OR8cA==
-----END CERTIFICATE-----`;

export interface TlsServer {
  readonly port: number;
  /** The server name that each client sent (SNI). */
  readonly serverNames: string[];
  readonly requests: number;
  close(): Promise<void>;
}

export async function startTlsServer(): Promise<TlsServer> {
  const serverNames: string[] = [];
  let requests = 0;
  const server = createServer({
    key: KEY,
    cert: CERTIFICATE,
    SNICallback: (name, done) => {
      serverNames.push(name);
      done(null);
    },
  });
  server.on('secureConnection', (socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {
      requests += 1;
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    serverNames,
    get requests() {
      return requests;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
