import { randomBytes, X509Certificate, KeyObject, webcrypto } from 'node:crypto';
import { join } from 'node:path';
import { pinOf } from '../net/pinned-tls.js';
import { readOrCreateSecretFile } from '../secrets/secret-file.js';
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

/** Certificate and password of an egress. */
export interface EgressIdentity extends Certificate {
  username: string;
  password: string;
}

const USERNAME = 'rcpt';
const PASSWORD_BYTES = 24;

/** Reads the identity of an egress in `dataDir`, and creates it on first use, so that a restart has the same one. */
export async function egressIdentity(dataDir: string, now: Date): Promise<EgressIdentity> {
  const path = join(dataDir, 'egress.json');
  const password = randomBytes(PASSWORD_BYTES).toString('base64url');
  const created: EgressIdentity = {
    username: USERNAME,
    password,
    ...(await selfSignedCertificate('rcpt egress', now)),
  };
  const text = await readOrCreateSecretFile(path, () => JSON.stringify(created));
  const identity = parsed(text);
  if (identity === null)
    throw new Error(
      `${path} is not complete: restore it, or remove it to create a new certificate and password`,
    );
  return identity;
}

function parsed(text: string): EgressIdentity | null {
  try {
    const { username, password, key, certificate } = JSON.parse(text) as Partial<EgressIdentity>;
    if (!username || !password || !key || !certificate) return null;
    return { username, password, key, certificate };
  } catch {
    return null;
  }
}

interface Place {
  host: string;
  port: number;
  heloName: string;
}

/** The value of `SMTP_EGRESS` for an installation that uses this egress. */
export function egressItem(identity: EgressIdentity, { host, port, heloName }: Place): string {
  const { username, password, certificate } = identity;
  const pin = pinOf(new X509Certificate(certificate).raw);
  const name = host.includes(':') ? `[${host}]` : host;
  return `socks5s://${username}:${password}@${name}:${port}?pin=sha256:${pin};helo=${heloName}`;
}
