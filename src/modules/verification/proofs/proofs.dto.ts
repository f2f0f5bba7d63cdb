import { DECISIONS, REASONS, STATUSES, type Verdict } from '../../../kernel/verdict.js';
import { Flag, ListOf, OneOf, Schema, Text, Time } from '../../../platform/http/validation/fields.js';
import { MAX_PROOF_LENGTH, PROOF_FAULTS, type ProofFault } from './domain/proof.js';
import type { ProofKey } from './domain/proof-signer.js';
import type { Confirmation } from './proofs.service.js';

const OF_VALID = { nullable: true, description: 'null: the proof is not valid.' } as const;

@Schema('ProofConfirm')
export class ProofConfirmBody {
  @Text({
    max: MAX_PROOF_LENGTH,
    message: 'Send the proof that the page sent with its form.',
    tooLong: `A proof has at most ${MAX_PROOF_LENGTH} characters.`,
    description:
      '`proof` of the response to a publishable key, as the form sent it. An empty one is `malformed`.',
    example: 'eyJhbGciOiJFZERTQSIsImtpZCI6Ii4uLiJ9.eyJlbWFpbCI6Ii4uLiJ9.c2lnbmF0dXJl',
  })
  proof: string;

  @Text({
    max: 1_000,
    message: 'Send the address that the form sent, such as jane@example.com.',
    tooLong: 'An address has at most 254 characters; more than 1,000 are not accepted.',
    description: 'The address of the same form. Space around it and the case of ASCII letters are ignored.',
    example: 'jane@example.com',
  })
  email: string;
}

@Schema('ProofConfirmation')
export class ProofConfirmationResponse {
  @Flag({
    description: 'Rcpt verified this address for a page of your team within the last 30 minutes.',
    example: true,
  })
  valid: boolean;

  @OneOf(PROOF_FAULTS, {
    nullable: true,
    example: null,
    description:
      'null: it is valid. `malformed`: no JSON Web Token; `signature`: not signed by this installation, or changed; `other_team`: not of a publishable key of your team, or of a test key and you use a live one, or the reverse; `expired`; `other_email`: for another address.',
  })
  why: ProofFault | null;

  @OneOf(STATUSES, OF_VALID)
  status: Verdict['status'] | null;

  @OneOf(REASONS, OF_VALID)
  reason: Verdict['reason'] | null;

  @OneOf(DECISIONS, OF_VALID)
  decision: Verdict['policy']['decision'] | null;

  @Time({ nullable: true, description: 'When the page got the verdict; null: the proof is not valid.' })
  verified_at: string | null;

  @Flag({ description: 'The proof was confirmed before.', example: false })
  replayed: boolean;
}

const INVALID = { status: null, reason: null, decision: null, verified_at: null, replayed: false };

export function toConfirmation(confirmation: Confirmation): ProofConfirmationResponse {
  if (confirmation.fault !== null) return { valid: false, why: confirmation.fault, ...INVALID };
  const { claims, replayed } = confirmation;
  const { status, reason, decision, iat } = claims;
  const verified_at = new Date(iat * 1000).toISOString();
  return { valid: true, why: null, status, reason, decision, verified_at, replayed };
}

@Schema('ProofKey')
class ProofKeyResponse implements ProofKey {
  @OneOf(['OKP'])
  kty: 'OKP';

  @OneOf(['Ed25519'])
  crv: 'Ed25519';

  @Text({
    description: 'The public key in base64url.',
    example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  })
  x: string;

  @Text({ description: 'The thumbprint of the key.', example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k' })
  kid: string;

  @OneOf(['EdDSA'])
  alg: 'EdDSA';

  @OneOf(['sig'])
  use: 'sig';
}

@Schema('ProofKeys')
export class ProofKeysResponse {
  @ListOf(() => ProofKeyResponse, { description: 'The first one signs.' })
  keys: readonly ProofKeyResponse[];
}
