import { Injectable } from '@nestjs/common';
import { RechecksService, type ListRows } from './rechecks.service.js';

/** A job says that rechecks are due; which one is next, is asked of the database, until none is. */
@Injectable()
export class RechecksProcessor {
  constructor(private readonly rechecks: RechecksService) {}

  async recheck(rows: ListRows, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.rechecks.recheckNext(rows, signal)));
  }
}
