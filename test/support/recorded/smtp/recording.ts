import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `C`: the client, `S`: the server. null: it has closed the connection. */
export type SpokenLine = ['C', string] | ['S', string | null];

export interface SmtpRecording {
  program: string;
  settings: readonly string[];
  dialogues: { title: string; lines: SpokenLine[] }[];
}

export type MailServerName = 'postfix' | 'exim' | 'opensmtpd';

export function smtpRecordingOf(name: string): SmtpRecording {
  return JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8')) as SmtpRecording;
}
