import { createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import type { SecretKeys } from '../../../../platform/secrets/secret-keys.js';
import { PROOF_SECONDS, TOLERANCE_SECONDS, type ProofClaims } from '../domain/proof.js';
import { ProofSigner, type OpenedProof, type ProofKey } from '../domain/proof-signer.js';

const ALG = 'EdDSA';
const CLAIMS = ['aud', 'origin', 'email', 'status', 'reason', 'decision', 'iat', 'exp', 'jti'];

interface SigningKey {
  privateKey: KeyObject;
  publicKey: KeyObject;
  published: ProofKey;
}

/** JSON Web Tokens (RFC 7519) with Ed25519 (RFC 8037 §3.1). */
export class JoseProofSigner extends ProofSigner {
  readonly publicKeys: readonly ProofKey[];

  /** Each key of `SECRET_KEY` has its own. */
  static async of(secrets: SecretKeys): Promise<JoseProofSigner> {
    const [first, ...others] = await Promise.all(secrets.proofKeys.map(signingKey));
    return new JoseProofSigner([first!, ...others]);
  }

  private constructor(private readonly keys: readonly [SigningKey, ...SigningKey[]]) {
    super();
    this.publicKeys = keys.map(({ published }) => published);
  }

  sign(claims: ProofClaims): Promise<string> {
    const { privateKey, published } = this.keys[0];
    const header = { alg: ALG, kid: published.kid, typ: 'JWT' };
    return new SignJWT({ ...claims }).setProtectedHeader(header).sign(privateKey);
  }

  async open(proof: string, issuer: string, now: Date): Promise<OpenedProof> {
    try {
      // The key is one of ours, by `kid`: a key in the header (`jwk`, `jku`, `x5c`) is never read.
      const { payload } = await jwtVerify(proof, ({ kid }) => this.keyOf(kid), {
        algorithms: [ALG],
        issuer,
        requiredClaims: CLAIMS,
        maxTokenAge: PROOF_SECONDS,
        clockTolerance: TOLERANCE_SECONDS,
        currentDate: now,
      });
      return opened(payload, false);
    } catch (error) {
      if (isAboutTime(error)) return opened(error.payload, true);
      const isMalformed = error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid;
      if (!isMalformed && !(error instanceof errors.JOSEError)) throw error;
      return { claims: null, fault: isMalformed ? 'malformed' : 'signature' };
    }
  }

  /** @throws JWKSNoMatchingKey */
  private keyOf(kid: string | undefined): KeyObject {
    const key = this.keys.find(({ published }) => published.kid === kid);
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key.publicKey;
  }
}

async function signingKey(privateKey: KeyObject): Promise<SigningKey> {
  const publicKey = createPublicKey(privateKey);
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const;
  // The same in all processes, and found again after a rotation (RFC 7638 §1).
  const kid = await calculateJwkThumbprint(jwk);
  return { privateKey, publicKey, published: { ...jwk, kid, alg: ALG, use: 'sig' } };
}

/** The signature is checked before the times. An `iat` in the future is of a clock that is wrong. */
function isAboutTime(error: unknown): error is errors.JWTExpired | errors.JWTClaimValidationFailed {
  const isFromFuture = error instanceof errors.JWTClaimValidationFailed && error.claim === 'iat';
  return error instanceof errors.JWTExpired || isFromFuture;
}

/** Only this installation can have signed it, and it signs nothing else with these keys. */
function opened(payload: JWTPayload, isExpired: boolean): OpenedProof {
  return { claims: payload as unknown as ProofClaims, isExpired, fault: null };
}
