import { Module } from '@nestjs/common';
import { EngineModule } from '../verification/engine.module.js';
import { ListReadingModule } from './list-reading.module.js';
import { LocalListService } from './local-list.service.js';

/** For the command line, which has no database. */
@Module({
  imports: [EngineModule, ListReadingModule],
  providers: [LocalListService],
  exports: [LocalListService],
})
export class LocalListModule {}
