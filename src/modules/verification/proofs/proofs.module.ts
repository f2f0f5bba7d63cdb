import { Module } from '@nestjs/common';
import { SecretKeys } from '../../../platform/secrets/secret-keys.js';
import { ApiKeysModule } from '../../identity/api-keys/api-keys.module.js';
import { JoseProofSigner } from './adapters/jose-proof-signer.js';
import { PostgresConfirmedProofs } from './adapters/postgres-confirmed-proofs.js';
import { ConfirmedProofs } from './domain/confirmed-proofs.js';
import { ProofSigner } from './domain/proof-signer.js';
import { ProofsController } from './proofs.controller.js';
import { ProofsService } from './proofs.service.js';

@Module({
  imports: [ApiKeysModule],
  controllers: [ProofsController],
  providers: [
    ProofsService,
    { provide: ConfirmedProofs, useClass: PostgresConfirmedProofs },
    // The ids of the keys are derived asynchronously.
    {
      provide: ProofSigner,
      useFactory: (keys: SecretKeys) => JoseProofSigner.of(keys),
      inject: [SecretKeys],
    },
  ],
  exports: [ProofsService],
})
export class ProofsModule {}
