import type { SmtpStage } from '../../../kernel/verdict.js';
import type { SmtpReply } from '../../replies/smtp-reply.js';

export interface Command {
  line: string;
  stage: SmtpStage;
}

export const recipientCommand = ({ mailbox }: { mailbox: string }): Command => ({
  line: `RCPT TO:<${mailbox}>`,
  stage: 'rcpt',
});

/** MAIL and RCPT, after RSET when a transaction is open. */
export function transactionCommands(
  mailFrom: string,
  recipient: { mailbox: string; international: boolean },
  reset: boolean,
): Command[] {
  const mail = `MAIL FROM:<${mailFrom}>${recipient.international ? ' SMTPUTF8' : ''}`;
  const commands: Command[] = [{ line: mail, stage: 'mail' }, recipientCommand(recipient)];
  return reset ? [{ line: 'RSET', stage: 'mail' }, ...commands] : commands;
}

/**
 * The first line of the reply is the server's name; each other line begins with a keyword (RFC 5321
 * §4.1.1.1).
 */
export function keywordsOf(reply: SmtpReply): Set<string> {
  return new Set(reply.lines.slice(1).map((line) => (line.trim().split(/[ =]/)[0] ?? '').toUpperCase()));
}
