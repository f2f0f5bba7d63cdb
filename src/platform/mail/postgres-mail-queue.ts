import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual } from 'typeorm';
import { Clock } from '../../kernel/clock.js';
import { Mailer, OutgoingMails, type Mail, type OutgoingMail } from '../../kernel/mail.js';
import type { TeamId, UserId } from '../../kernel/principal.js';
import { Pause } from '../../kernel/service-state/pause.js';
import { Config } from '../config/config.js';
import { PostgresUnitOfWork } from '../database/transactions/postgres-unit-of-work.js';
import { SecretKeys } from '../secrets/secret-keys.js';
import { describeError, Log } from '../telemetry/log.js';
import { type OutgoingMailRow, OutgoingMailRowSchema } from './postgres-mail-queue.schema.js';
import { MINUTE_MS } from '../../kernel/durations.js';

/** `attempts` includes the one that begins. */
type DueMail = Pick<OutgoingMailRow, 'id' | 'kind' | 'ciphertext' | 'attempts'>;

const MAX_PAUSE_MS = 6 * 60 * MINUTE_MS;
/** Within about two days; then the mail is dropped. */
const MAX_ATTEMPTS = 15;
const BATCH = 10;

/** Stores mails until they are sent. A mail contains an address and a token, so it is encrypted with `SECRET_KEY`. */
@Injectable()
export class PostgresMailQueue extends OutgoingMails {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
    private readonly mailer: Mailer,
    private readonly config: Config,
    private readonly pause: Pause,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
  }

  get areSent(): boolean {
    return this.mailer.isConfigured && !this.pause.isPaused;
  }

  get brand(): string {
    return this.config.mailBrand;
  }

  async queue({ id, kind, teamId, mail, expiresAt, userId }: OutgoingMail): Promise<void> {
    const ciphertext = this.keys.encrypt(JSON.stringify(mail));
    const dueAt = this.clock.now();
    await this.rows.insert({ id, kind, teamId, userId: userId ?? null, ciphertext, dueAt, expiresAt });
  }

  async cancelOf(teamId: TeamId, kind: OutgoingMail['kind']): Promise<void> {
    await this.rows.delete({ teamId, kind });
  }

  async cancel(ids: readonly string[]): Promise<void> {
    await this.rows.delete({ id: In([...ids]) });
  }

  async cancelOfUsers(users: readonly UserId[]): Promise<void> {
    await this.rows.delete({ userId: In([...users]) });
  }

  /**
   * Sends due mails, at least once each: a mail whose worker dies before the row is deleted is sent
   * again. A mail that the server does not accept is retried with increasing delays.
   *
   * @returns the number of sent mails.
   */
  async sendDue(): Promise<number> {
    const now = this.clock.now();
    await this.rows.delete({ expiresAt: LessThanOrEqual(now) });
    if (!this.mailer.isConfigured) return 0;
    const due = await this.claimDue(now);
    const sent = await Promise.all(due.map((mail) => this.send(mail)));
    return sent.filter(Boolean).length;
  }

  /** Claims due mails: sets the time of their next attempt, so that no other worker claims them. */
  private claimDue(now: Date): Promise<DueMail[]> {
    return this.work.run(async () => {
      const rows = await this.work.manager.query<DueMail[]>(
        `SELECT id, kind, ciphertext, attempts + 1 AS attempts FROM outgoing_mails
          WHERE due_at <= $1 ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
        [now],
      );
      for (const { id, attempts } of rows) {
        const dueAt = new Date(now.getTime() + pauseAfterAttempt(attempts));
        await this.rows.update({ id }, { attempts, dueAt });
      }
      return rows;
    });
  }

  private async send({ id, kind, attempts, ciphertext }: DueMail): Promise<boolean> {
    try {
      // Fails too if its key is no longer in `SECRET_KEY`.
      await this.mailer.send(JSON.parse(this.keys.decrypt(ciphertext)) as Mail);
    } catch (error) {
      this.log.warn({ mail: kind, about: id, attempts, err: describeError(error) }, 'mail not sent');
      if (attempts >= MAX_ATTEMPTS) await this.cancel([id]);
      return false;
    }
    await this.cancel([id]);
    return true;
  }

  private get rows() {
    return this.work.manager.getRepository(OutgoingMailRowSchema);
  }
}

/** The delay after this attempt (from 1), longer than an attempt takes. */
function pauseAfterAttempt(attempt: number): number {
  return Math.min(MAX_PAUSE_MS, MINUTE_MS * 2 ** (attempt - 1));
}
