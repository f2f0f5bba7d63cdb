import { Module } from '@nestjs/common';
import { TiersService } from './tiers.service.js';

@Module({ providers: [TiersService], exports: [TiersService] })
export class TiersModule {}
