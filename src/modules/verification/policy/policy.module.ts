import { Module } from '@nestjs/common';
import { PostgresPolicyRepository } from './adapters/postgres-policy.repository.js';
import { PolicyRepository } from './domain/policy.repository.js';
import { PolicyController } from './policy.controller.js';
import { PolicyService } from './policy.service.js';

@Module({
  controllers: [PolicyController],
  providers: [PolicyService, { provide: PolicyRepository, useClass: PostgresPolicyRepository }],
  exports: [PolicyService],
})
export class PolicyModule {}
