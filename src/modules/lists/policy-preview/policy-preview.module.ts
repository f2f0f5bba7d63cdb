import { Module } from '@nestjs/common';
import { BulkModule } from '../bulk/bulk.module.js';
import { PolicyModule } from '../../verification/policy/policy.module.js';
import { VerificationModule } from '../../verification/verification/verification.module.js';
import { PolicyPreviewController } from './policy-preview.controller.js';
import { PolicyPreviewService } from './policy-preview.service.js';

@Module({
  imports: [PolicyModule, BulkModule, VerificationModule],
  controllers: [PolicyPreviewController],
  providers: [PolicyPreviewService],
})
export class PolicyPreviewModule {}
