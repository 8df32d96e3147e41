/** The fix for a broker that cannot be reached, by the code of the error. */
import { CLI } from '../../base/text/command-form.ts';

const OTHER_CA = 'Its certificate is signed by an unknown CA. Name the certificate of that CA with CA_FILE.';
const PLAIN = 'Check whether this port uses TLS. For a port without TLS, write mqtt:// or ws://.';
const CLIENT = `The broker requires a client certificate: add --cert FILE and --key FILE to ${CLI} fleet.`;

const FIXES: Readonly<Record<string, string>> = {
  SELF_SIGNED_CERT_IN_CHAIN: OTHER_CA,
  DEPTH_ZERO_SELF_SIGNED_CERT: OTHER_CA,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: OTHER_CA,
  UNABLE_TO_GET_ISSUER_CERT: OTHER_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: OTHER_CA,
  CERT_SIGNATURE_FAILURE: OTHER_CA,
  ERR_TLS_CERT_ALTNAME_INVALID: 'Give --broker with a host name that is in its certificate.',
  CERT_HAS_EXPIRED: 'Renew the certificate of the broker, or try with --insecure.',
  EPROTO: PLAIN,
  ERR_SSL_WRONG_VERSION_NUMBER: PLAIN,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: CLIENT,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: CLIENT,
  ENOTFOUND: 'Is the host name right?',
};

/**
 * `caFile`: the flag or field by which the calling command accepts the certificate of another CA. Returns undefined for
 * an unknown code.
 */
export const brokerFix = (code: string, caFile: string): string | undefined => FIXES[code]?.replace('CA_FILE', caFile);
