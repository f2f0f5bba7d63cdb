import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { Principal } from '../../../kernel/principal.js';
import type { Verdict } from '../../../kernel/verdict.js';
import { Config } from '../../../platform/config/config.js';
import { ApiKeysService } from '../../identity/api-keys/api-keys.service.js';
import { ConfirmedProofs } from './domain/confirmed-proofs.js';
import {
  claimsOf,
  isOfEmail,
  MAX_PROOF_LENGTH,
  TOLERANCE_SECONDS,
  type ProofClaims,
  type ProofFault,
} from './domain/proof.js';
import { ProofSigner, type ProofKey } from './domain/proof-signer.js';

export type Confirmation =
  { claims: ProofClaims; replayed: boolean; fault: null } | { claims: null; fault: ProofFault };

/** Longer than a proof is accepted by the slowest clock. */
const KEPT_MS = 10 * TOLERANCE_SECONDS * 1000;

/** Verdicts that a page hands to its server. */
@Injectable()
export class ProofsService {
  constructor(
    private readonly signer: ProofSigner,
    private readonly confirmed: ConfirmedProofs,
    private readonly keys: ApiKeysService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  get publicKeys(): readonly ProofKey[] {
    return this.signer.publicKeys;
  }

  /** @returns null: the text that was verified is so long that it cannot be an address, nor be part of a proof. */
  async issue({ keyId }: Pick<Principal, 'keyId'>, origin: string, verdict: Verdict): Promise<string | null> {
    const issue = { iss: this.config.publicUrl, aud: keyId, origin };
    const proof = await this.signer.sign(claimsOf(issue, verdict, this.clock.now()));
    return proof.length > MAX_PROOF_LENGTH ? null : proof;
  }

  /** Uses a proof of the caller's team and mode. */
  async confirm(caller: Principal, proof: string, email: string): Promise<Confirmation> {
    const opened = await this.signer.open(proof, this.config.publicUrl, this.clock.now());
    if (opened.fault !== null) return opened;
    const { claims, isExpired } = opened;
    // Before the others: what another team's proof says is not for this caller.
    if (!(await this.isOfTeam(caller, claims))) return refused('other_team');
    if (isExpired) return refused('expired');
    if (!isOfEmail(claims, email)) return refused('other_email');
    const isFirst = await this.confirmed.confirm(claims.jti, new Date(claims.exp * 1000 + KEPT_MS));
    return { claims, replayed: !isFirst, fault: null };
  }

  /** A revoked key counts: what it verified before stays true. */
  private async isOfTeam({ teamId, mode }: Principal, { aud }: ProofClaims): Promise<boolean> {
    return (await this.keys.find(teamId, aud))?.mode === mode;
  }
}

function refused(fault: ProofFault): Confirmation {
  return { claims: null, fault };
}
