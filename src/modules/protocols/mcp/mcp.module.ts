import { Module } from '@nestjs/common';
import { BulkModule } from '../../lists/bulk/bulk.module.js';
import { TiersModule } from '../../identity/tiers/tiers.module.js';
import { UsageModule } from '../../identity/usage/usage.module.js';
import { VerificationModule } from '../../verification/verification/verification.module.js';
import { CallerTools } from './caller.tools.js';
import { McpController } from './mcp.controller.js';
import { ProtectedResourceController } from './protected-resource.controller.js';

@Module({
  imports: [TiersModule, UsageModule, VerificationModule, BulkModule],
  controllers: [McpController, ProtectedResourceController],
  providers: [CallerTools],
})
export class McpModule {}
