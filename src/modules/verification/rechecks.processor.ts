import { Injectable } from '@nestjs/common';
import { RechecksService } from './rechecks.service.js';

/** Rechecks until none is due, whichever job started it: the database decides which is next. */
@Injectable()
export class RechecksProcessor {
  constructor(private readonly rechecks: RechecksService) {}

  async recheck(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.rechecks.recheckNext(signal)));
  }
}
