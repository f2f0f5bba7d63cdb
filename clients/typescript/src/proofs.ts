import type { ProofConfirmation } from './types.js';

const MAX_LENGTH = 4_096;
/** The clocks of this machine and of the service may differ by this. */
const TOLERANCE_SECONDS = 60;
const MIN_REFRESH_MS = 60_000;
/** A key that the service no longer publishes is not accepted for ever. */
const MAX_AGE_MS = 3_600_000;
const BASE64URL = /^[\w-]+$/;

/** What a proof says, checked without a request. */
export interface ProofCheck extends Omit<ProofConfirmation, 'replayed'> {
  /** Until then store `jti`, if each proof may be used once. */
  expires_at: string | null;
  jti: string | null;
}

export interface ProofCheckOptions {
  /** The ids of your publishable keys: a proof of another key may be of another team. */
  keyIds: string | readonly string[];
}

interface Claims {
  aud: string;
  email: string;
  status: NonNullable<ProofCheck['status']>;
  reason: NonNullable<ProofCheck['reason']>;
  decision: NonNullable<ProofCheck['decision']>;
  iat: number;
  exp: number;
  jti: string;
}

interface PublicKey {
  kid: string;
  x: string;
}

/** Checks proofs with the public keys of the service, which it reads seldom. */
export class ProofKeys {
  #keys: readonly PublicKey[] = [];
  #readAt = -Infinity;
  #triedAt = -Infinity;
  #reading: Promise<void> | null = null;

  /** @param read the JSON Web Key Set of the service. */
  constructor(private readonly read: () => Promise<unknown>) {}

  /** @throws RcptError if there are no keys yet, and the service does not answer. */
  async check(proof: string, email: string, { keyIds }: ProofCheckOptions): Promise<ProofCheck> {
    const [head = '', body = '', signature = '', ...others] =
      typeof proof === 'string' && proof.length <= MAX_LENGTH ? proof.split('.') : [];
    const header = objectIn(head);
    if (header === null || others.length > 0 || !BASE64URL.test(body)) return refused('malformed');
    // Nothing in the header chooses another algorithm or brings a key.
    if (header['alg'] !== 'EdDSA' || 'crit' in header) return refused('signature');
    const key = await this.#keyOf(header['kid']);
    if (key === undefined || !(await isSigned(key, `${head}.${body}`, signature)))
      return refused('signature');
    const claims = objectIn(body) as unknown as Claims;
    if (![keyIds].flat().includes(claims.aud)) return refused('other_team');
    const now = Date.now() / 1_000;
    if (now > claims.exp + TOLERANCE_SECONDS || now < claims.iat - TOLERANCE_SECONDS)
      return refused('expired');
    return claims.email === spellingOf(email) ? accepted(claims) : refused('other_email');
  }

  async #keyOf(kid: unknown): Promise<PublicKey | undefined> {
    const find = () => this.#keys.find((key) => key.kid === kid);
    const isOld = Date.now() - this.#readAt > MAX_AGE_MS;
    if (isOld || find() === undefined) await this.#refresh();
    return find();
  }

  /** At most once a minute: anyone may send proofs with ids of keys that do not exist. */
  async #refresh(): Promise<void> {
    if (this.#reading === null && Date.now() - this.#triedAt > MIN_REFRESH_MS) {
      this.#triedAt = Date.now();
      this.#reading = this.#load().finally(() => (this.#reading = null));
    }
    await this.#reading;
  }

  async #load(): Promise<void> {
    try {
      this.#keys = keysIn(await this.read());
      this.#readAt = Date.now();
    } catch (error) {
      if (this.#keys.length > 0) return;
      // The next call tries again.
      this.#triedAt = -Infinity;
      throw error;
    }
  }
}

async function isSigned({ x }: PublicKey, text: string, signature: string): Promise<boolean> {
  const given = bytesOf(signature);
  if (given === null) return false;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x };
  const key = await crypto.subtle.importKey('jwk', jwk, { name: 'Ed25519' }, false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, given, new TextEncoder().encode(text));
}

/** Of a proxy that answers in place of the service: none. */
function keysIn(document: unknown): PublicKey[] {
  const { keys } = (document ?? {}) as { keys?: (PublicKey & { kty: string; crv: string })[] };
  return Array.isArray(keys) ? keys.filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519') : [];
}

/** As the service lowers letters: those of ASCII only. */
function spellingOf(email: string): string {
  return email.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function objectIn(part: string): Record<string, unknown> | null {
  const bytes = bytesOf(part);
  if (bytes === null) return null;
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes)) as unknown;
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}

function bytesOf(part: string): Uint8Array<ArrayBuffer> | null {
  if (!BASE64URL.test(part)) return null;
  try {
    const text = atob(part.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(text, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function accepted({ status, reason, decision, iat, exp, jti }: Claims): ProofCheck {
  const time = (seconds: number) => new Date(seconds * 1_000).toISOString();
  const times = { verified_at: time(iat), expires_at: time(exp) };
  return { valid: true, why: null, status, reason, decision, ...times, jti };
}

function refused(why: NonNullable<ProofCheck['why']>): ProofCheck {
  const nothing = { status: null, reason: null, decision: null };
  return { valid: false, why, ...nothing, verified_at: null, expires_at: null, jti: null };
}
