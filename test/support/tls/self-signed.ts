import { KeyObject, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

export interface Certificate {
  key: string;
  cert: string;
}

const KEYS = {
  ec: { name: 'ECDSA', namedCurve: 'P-256' },
  rsa: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2_048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
};
const DAY_MS = 86_400_000;

/** A key and its certificate for this host, valid for a year. */
export async function selfSigned(host: string, keyType: keyof typeof KEYS = 'ec'): Promise<Certificate> {
  const algorithm = KEYS[keyType];
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [host] }],
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + 365 * DAY_MS),
    signingAlgorithm: { name: algorithm.name, hash: 'SHA-256' },
    keys,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { key: String(key), cert: certificate.toString('pem') };
}
