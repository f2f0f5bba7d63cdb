import { Injectable } from '@nestjs/common';
import { BulkWorkService } from './bulk-work.service.js';

/** Who is rung for works until nothing waits, whatever rang: whose turn it is, the database knows. */
@Injectable()
export class BulkProcessor {
  constructor(private readonly bulk: BulkWorkService) {}

  async chunks(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.bulk.verifyNext(signal)));
  }
}
