import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual } from 'typeorm';
import { Clock } from '../../kernel/clock.js';
import { Mailer, type Mail } from '../../kernel/mailer.js';
import { OutgoingMails, type OutgoingMail } from '../../kernel/outgoing-mails.js';
import { PostgresUnitOfWork } from '../database/postgres-unit-of-work.js';
import { SecretKeys } from '../secrets/secret-keys.js';
import { describeFault, Log } from '../telemetry/log.js';
import { OutgoingMailRowSchema } from './postgres-mail-queue.schema.js';

/** A mail that is due. */
interface DueMail extends Pick<OutgoingMail, 'id' | 'kind'> {
  /** This one included. */
  attempts: number;
  /** null: it cannot be read, because `SECRET_KEY` no longer lists the key it was stored under. */
  mail: Mail | null;
}

type Row = Omit<DueMail, 'mail'> & { ciphertext: string };

const MINUTE_MS = 60_000;
const MAX_PAUSE_MS = 6 * 60 * MINUTE_MS;
/** Tried this often, some two days long; then the address is given up. */
const MAX_ATTEMPTS = 15;
/** How many mails one worker takes at once. */
const BATCH = 10;

/** Mails in a table, until they are sent. A mail contains an address and a token, so rows are encrypted with `SECRET_KEY`. */
@Injectable()
export class PostgresMailQueue extends OutgoingMails {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
    private readonly mailer: Mailer,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
  }

  get areSent(): boolean {
    return this.mailer.isConfigured;
  }

  async queue({ id, kind, teamId, mail, expiresAt }: OutgoingMail): Promise<void> {
    const ciphertext = this.keys.encrypt(JSON.stringify(mail));
    await this.rows.insert({ id, kind, teamId, ciphertext, dueAt: this.clock.now(), expiresAt });
  }

  async cancel(ids: readonly string[]): Promise<void> {
    await this.rows.delete({ id: In([...ids]) });
  }

  /**
   * Sends what is due. A worker that ends between sending and noting it sends that
   * mail twice; a mail that is not taken is tried again, later each time.
   *
   * @returns how many were sent.
   */
  async sendDue(): Promise<number> {
    const now = this.clock.now();
    await this.rows.delete({ expiresAt: LessThanOrEqual(now) });
    if (!this.mailer.isConfigured) return 0;
    const due = await this.claimDue(now);
    const sent = await Promise.all(due.map((each) => this.send(each)));
    return sent.filter(Boolean).length;
  }

  /** Takes some that are due and defers each to its next attempt, so that no other worker takes it too. */
  private claimDue(now: Date): Promise<DueMail[]> {
    return this.work.run(async () => {
      const rows = await this.work.manager.query<Row[]>(
        `SELECT id, kind, ciphertext, attempts + 1 AS attempts FROM outgoing_mails
          WHERE due_at <= $1 ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
        [now],
      );
      for (const { id, attempts } of rows) {
        const dueAt = new Date(now.getTime() + pauseAfterAttempt(attempts));
        await this.rows.update({ id }, { attempts, dueAt });
      }
      return rows.map(({ ciphertext, ...row }) => ({ ...row, mail: this.open(ciphertext) }));
    });
  }

  private async send({ id, kind, attempts, mail }: DueMail): Promise<boolean> {
    try {
      if (mail === null) throw new Error('SECRET_KEY lists no key that opens this mail');
      await this.mailer.send(mail);
    } catch (error) {
      this.log.warn({ mail: kind, about: id, attempts, err: describeFault(error) }, 'mail not sent');
      if (attempts >= MAX_ATTEMPTS) await this.cancel([id]);
      return false;
    }
    await this.cancel([id]);
    return true;
  }

  private get rows() {
    return this.work.manager.getRepository(OutgoingMailRowSchema);
  }

  private open(ciphertext: string): Mail | null {
    try {
      return JSON.parse(this.keys.decrypt(ciphertext)) as Mail;
    } catch {
      return null;
    }
  }
}

/** How long after the attempt of this number (from 1) the next one is due; longer than any attempt takes. */
function pauseAfterAttempt(attempt: number): number {
  return Math.min(MAX_PAUSE_MS, MINUTE_MS * 2 ** (attempt - 1));
}
