import { Injectable } from '@nestjs/common';
import { BulkVerificationService } from './bulk-verification.service.js';

/** Who is rung for works until nothing waits, whatever rang: whose turn it is, the database knows. */
@Injectable()
export class BulkProcessor {
  constructor(private readonly bulk: BulkVerificationService) {}

  async chunks(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.bulk.verifyNext(signal)));
  }
}
