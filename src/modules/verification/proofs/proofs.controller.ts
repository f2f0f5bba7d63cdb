import { Body, Controller, Get, Header, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Principal } from '../../../kernel/principal.js';
import { Ok, Operation } from '../../../platform/http/openapi/operation.js';
import { AllowTestKeys, Caller, Public, Scope } from '../../../platform/http/request/route-policy.js';
import {
  ProofConfirmationResponse,
  ProofConfirmBody,
  ProofKeysResponse,
  toConfirmation,
} from './proofs.dto.js';
import { ProofsService } from './proofs.service.js';

@ApiTags('Verification')
@Controller()
export class ProofsController {
  constructor(private readonly proofs: ProofsService) {}

  @Post('v1/proofs/confirm')
  @AllowTestKeys()
  @Scope('verify')
  @Operation(
    'confirmProof',
    'Confirm a proof that a page sent with its form',
    'Costs no quota. The first confirmation uses the proof; later ones are `replayed`.',
  )
  @Ok('The verdict of the page, or why the proof is not valid.', ProofConfirmationResponse)
  async confirm(
    @Body() { proof, email }: ProofConfirmBody,
    @Caller() caller: Principal,
  ): Promise<ProofConfirmationResponse> {
    return toConfirmation(await this.proofs.confirm(caller, proof, email));
  }

  @Get('.well-known/jwks.json')
  @Public()
  @Header('Cache-Control', 'public, max-age=300')
  @Operation('proofKeys', 'The public keys that sign proofs', 'A JSON Web Key Set (RFC 7517).')
  @Ok('The keys.', ProofKeysResponse)
  keys(): ProofKeysResponse {
    return { keys: this.proofs.publicKeys };
  }
}
