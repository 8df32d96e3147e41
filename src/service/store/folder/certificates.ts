/** Encodes and signs X.509 certificates, because Node.js can read certificates but cannot create them. [RFC 5280] */
import { createHash, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';
import { newKeyPair, randomSerial } from '../../../base/ids.ts';
import { dateOf } from '../../../base/time/instants.ts';

/** A certificate and its private key, both as PEM. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Instants of wall time, ms. */
interface Lifetime {
  readonly notBefore: number;
  readonly notAfter: number;
}

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const COMMON_NAME = '2.5.4.3';
const ORGANIZATION_NAME = '2.5.4.10';
const ORGANIZATION = 'muster-sandbox';

/**
 * Creates a certificate authority with a new random key. Its name contains a part of the key's hash, because a trust
 * store finds an authority by name.
 */
export function makeAuthority(lifetime: Lifetime): KeyedCertificate {
  const { privateKey, publicKey } = newKeyPair();
  const subject = nameOf(`Local certificate authority ${keyIdOf(publicKey).toString('hex').slice(0, 8)}`);
  return signed({ subject, issuer: subject, publicKey, signer: privateKey, ...lifetime }, privateKey, [
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), { critical: true }),
    extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign), { critical: true }),
    subjectKey(publicKey),
  ]);
}

/**
 * Creates a server certificate for the host names and addresses, with a new random key. The first name is its subject.
 */
export function makeServerCertificate(
  authority: KeyedCertificate,
  names: readonly string[],
  lifetime: Lifetime,
): KeyedCertificate {
  const { privateKey, publicKey } = newKeyPair();
  const { raw, publicKey: issuerKey } = new X509Certificate(authority.certificate);
  const { subject: issuer } = AsnConvert.parse(raw, Certificate).tbsCertificate;
  const subject = nameOf(names[0] ?? 'localhost');
  return signed({ subject, issuer, publicKey, signer: authority.key, ...lifetime }, privateKey, [
    extension(id_ce_basicConstraints, new BasicConstraints({ cA: false }), { critical: true }),
    extension(id_ce_keyUsage, new KeyUsage(KeyUsageFlags.digitalSignature), { critical: true }),
    extension(id_ce_extKeyUsage, new ExtendedKeyUsage([id_kp_serverAuth])),
    extension(id_ce_subjectAltName, new SubjectAlternativeName(names.map(generalName))),
    subjectKey(publicKey),
    extension(
      id_ce_authorityKeyIdentifier,
      new AuthorityKeyIdentifier({ keyIdentifier: new KeyIdentifier(keyIdOf(issuerKey)) }),
    ),
  ]);
}

interface CertificateBody extends Lifetime {
  readonly subject: Name;
  readonly issuer: Name;
  readonly publicKey: KeyObject;
  /** The issuer's private key. */
  readonly signer: KeyObject | string;
}

function signed(body: CertificateBody, privateKey: KeyObject, extensions: readonly Extension[]): KeyedCertificate {
  const { subject, issuer, publicKey, signer, notBefore, notAfter } = body;
  const signatureAlgorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 });
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: randomSerial(),
    signature: signatureAlgorithm,
    issuer,
    validity: new Validity({ notBefore: wholeSecond(notBefore), notAfter: wholeSecond(notAfter) }),
    subject,
    subjectPublicKeyInfo: AsnConvert.parse(spkiOf(publicKey), SubjectPublicKeyInfo),
    extensions: new Extensions([...extensions]),
  });
  const signatureValue = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), signer);
  const certificate = new Certificate({ tbsCertificate, signatureAlgorithm, signatureValue: arrayOf(signatureValue) });
  return {
    certificate: new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function extension(extnID: string, value: object, { critical = false } = {}): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) });
}

const subjectKey = (key: KeyObject): Extension =>
  extension(id_ce_subjectKeyIdentifier, new SubjectKeyIdentifier(keyIdOf(key)));

const generalName = (name: string): GeneralName =>
  new GeneralName(isIP(name) === 0 ? { dNSName: name } : { iPAddress: name });

const nameOf = (commonName: string): Name =>
  new Name([attribute(ORGANIZATION_NAME, ORGANIZATION), attribute(COMMON_NAME, commonName)]);

const attribute = (type: string, utf8String: string): RelativeDistinguishedName =>
  new RelativeDistinguishedName([new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String }) })]);

const spkiOf = (publicKey: KeyObject): Buffer => publicKey.export({ type: 'spki', format: 'der' });

/** Identifies a key within a chain. RFC 5280 4.2.1.2 leaves the method free; this is the hash of the whole SubjectPublicKeyInfo. */
const keyIdOf = (publicKey: KeyObject): Buffer =>
  createHash('sha256').update(spkiOf(publicKey)).digest().subarray(0, 20);

/** Times in certificates have no fractions of a second. */
const wholeSecond = (instantMs: number): Date => dateOf(Math.floor(instantMs / 1_000) * 1_000);

const arrayOf = (bytes: Buffer): ArrayBuffer => Uint8Array.from(bytes).buffer;
