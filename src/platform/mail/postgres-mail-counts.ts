import { Injectable } from '@nestjs/common';
import { MailCounts } from '../../kernel/mail.js';
import { PostgresUnitOfWork } from '../database/transactions/postgres-unit-of-work.js';
import { SecretKeys } from '../secrets/secret-keys.js';

/** For `Retention`: counts of the days before. */
export const OLD_MAIL_COUNTS = { table: 'signup_mail_counts', column: 'day' };

@Injectable()
export class PostgresMailCounts extends MailCounts {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
  ) {
    super();
  }

  async count(subject: string, now: Date, max: number): Promise<boolean> {
    const counted = await this.work.manager.query<unknown[]>(
      `INSERT INTO signup_mail_counts AS c (day, counted, mails) VALUES ($1, $2, 1)
       ON CONFLICT (day, counted) DO UPDATE SET mails = c.mails + 1 WHERE c.mails < $3
       RETURNING mails`,
      [dayOf(now), this.keys.hashAddress(`signup mail ${subject}`), max],
    );
    return counted.length > 0;
  }
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}
