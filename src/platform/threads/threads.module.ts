import { Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { ReaderThreads } from './reader-threads.js';

/** The threads of this process that read bodies; for modules whose ways in take bodies of formats. */
@Module({
  providers: [
    { provide: ReaderThreads, useFactory: (clock: Clock) => new ReaderThreads(clock), inject: [Clock] },
  ],
  exports: [ReaderThreads],
})
export class ThreadsModule {}
