import { Module } from '@nestjs/common';
import { PostgresSelfCheckRepository } from './adapters/postgres-self-check.repository.js';
import { SelfCheckRepository } from './domain/self-check.repository.js';
import { SelfCheckReporter } from './self-check-reporter.js';
import { SelfChecksService } from './self-checks.service.js';

@Module({
  providers: [
    { provide: SelfCheckRepository, useClass: PostgresSelfCheckRepository },
    SelfChecksService,
    SelfCheckReporter,
  ],
  exports: [SelfCheckRepository, SelfChecksService],
})
export class SelfChecksModule {}
