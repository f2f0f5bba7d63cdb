import { Module } from '@nestjs/common';
import { EngineModule } from '../verification/engine.module.js';
import { StreamingListReader } from './adapters/intake/streaming-list-reader.js';
import { ListReader } from './domain/list-reader.js';
import { LocalListService } from './local-list.service.js';

/** For the command line, which has no database. */
@Module({
  imports: [EngineModule],
  providers: [LocalListService, { provide: ListReader, useClass: StreamingListReader }],
  exports: [LocalListService],
})
export class LocalListModule {}
