import { generate } from 'selfsigned';

export interface Certificate {
  key: string;
  cert: string;
}

let made: Promise<Certificate> | null = null;

/** A self-signed certificate, created once per process. SMTP clients do not verify certificates. */
export function testCertificate(): Promise<Certificate> {
  made ??= generate([{ name: 'commonName', value: 'mx.test' }], { keyType: 'ec' }).then(
    ({ private: key, cert }) => ({
      key,
      cert,
    }),
  );
  return made;
}
