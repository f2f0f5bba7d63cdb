import { Module } from '@nestjs/common';
import { StreamingListReader } from './adapters/intake/streaming-list-reader.js';
import { ListReader } from './domain/list-reader.js';
import { ListReadingService } from './list-reading.service.js';

/** Reads lists and verifies none. */
@Module({
  providers: [ListReadingService, { provide: ListReader, useClass: StreamingListReader }],
  exports: [ListReadingService, ListReader],
})
export class ListReadingModule {}
