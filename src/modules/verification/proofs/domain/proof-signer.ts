import type { ProofClaims, ProofFault } from './proof.js';

/** A public key as a JSON Web Key (RFC 8037 §2). */
export interface ProofKey {
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  kid: string;
  alg: 'EdDSA';
  use: 'sig';
}

/** The claims of a proof that this installation signed, or why it is none. */
export type OpenedProof =
  | { claims: ProofClaims; isExpired: boolean; fault: null }
  | { claims: null; fault: Extract<ProofFault, 'malformed' | 'signature'> };

/** Port: signs proofs with the first key of the installation, and reads those of all its keys. */
export abstract class ProofSigner {
  /** The key that signs comes first. */
  abstract readonly publicKeys: readonly ProofKey[];

  abstract sign(claims: ProofClaims): Promise<string>;

  /** @param issuer its proofs only. */
  abstract open(proof: string, issuer: string, now: Date): Promise<OpenedProof>;
}
