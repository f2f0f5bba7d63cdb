import { Module } from '@nestjs/common';
import { BulkModule } from '../bulk/bulk.module.js';
import { TiersModule } from '../tiers/tiers.module.js';
import { UsageModule } from '../usage/usage.module.js';
import { VerificationModule } from '../verification/verification.module.js';
import { CallerTools } from './caller.tools.js';
import { McpController } from './mcp.controller.js';
import { ProtectedResourceController } from './protected-resource.controller.js';

@Module({
  imports: [TiersModule, UsageModule, VerificationModule, BulkModule],
  controllers: [McpController, ProtectedResourceController],
  providers: [CallerTools],
})
export class McpModule {}
