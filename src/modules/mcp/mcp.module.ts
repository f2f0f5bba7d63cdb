import { Module } from '@nestjs/common';
import { BulkModule } from '../bulk/bulk.module.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { VerificationModule } from '../verification/verification.module.js';
import { CallerTools } from './caller.tools.js';
import { McpController } from './mcp.controller.js';

@Module({
  imports: [TiersModule, UsageModule, VerificationModule, BulkModule],
  controllers: [McpController],
  providers: [CallerTools],
})
export class McpModule {}
