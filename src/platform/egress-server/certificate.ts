import { KeyObject, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** A key and its self-signed certificate, both PEM. */
export interface Certificate {
  key: string;
  certificate: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' };
/** RFC 5280 §4.1.2.5: the value of a certificate without an expiry. Clients check the pin, not the period. */
const WITHOUT_EXPIRY = new Date('9999-12-31T23:59:59Z');

export async function selfSignedCertificate(commonName: string, now: Date): Promise<Certificate> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    notBefore: now,
    notAfter: WITHOUT_EXPIRY,
    signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    keys,
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { key: String(key), certificate: certificate.toString('pem') };
}
