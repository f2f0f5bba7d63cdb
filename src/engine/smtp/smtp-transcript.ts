import type { DnsRequester } from '../dns/mx-resolver.js';
import { excerpt, type SmtpReply } from '../replies/smtp-reply.js';

export const TRANSCRIPT_SOURCES = ['connection', 'client', 'server'] as const;

export interface TranscriptLine {
  /** `connection`: the text is the host of the lines that follow. */
  source: (typeof TRANSCRIPT_SOURCES)[number];
  /** At most 200 characters, without control characters. */
  text: string;
}

/** A command and its reply. */
export interface Exchange {
  /** null: the greeting, which is no reply to a command. */
  command: string | null;
  /** null: there was none. */
  reply: SmtpReply | null;
}

const MAX_LINES = 40;

/**
 * The SMTP dialogue about one recipient, as sent and received. Sessions are used for several recipients:
 * the transcript contains the start of the session and the commands about this recipient only.
 */
export class SmtpTranscript {
  private readonly all: TranscriptLine[] = [];

  /** The first 40. */
  get lines(): readonly TranscriptLine[] {
    return this.all;
  }

  connect(host: string): void {
    this.add({ source: 'connection', text: host });
  }

  record({ command, reply }: Exchange): void {
    if (command !== null) this.sent(command);
    if (reply !== null) this.received(reply);
  }

  sent(command: string): void {
    this.add({ source: 'client', text: command });
  }

  received({ code, lines }: SmtpReply): void {
    for (const [index, line] of lines.entries())
      this.add({ source: 'server', text: `${code}${index < lines.length - 1 ? '-' : ' '}${line}` });
  }

  private add({ source, text }: TranscriptLine): void {
    if (this.all.length < MAX_LINES) this.all.push({ source, text: excerpt(text) });
  }
}

/** A requester that may want the SMTP dialogue. */
export interface RecordedRequester extends DnsRequester {
  /** Records the dialogue; missing: it is not recorded. */
  transcript?: SmtpTranscript | undefined;
}
