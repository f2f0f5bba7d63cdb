import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the client (`C`) and the proxy (`S`) sent, in hexadecimal. null: the proxy has closed the connection. */
export type SentOctets = ['C', string] | ['S', string | null];

export interface SocksRecording {
  program: string;
  exchanges: { title: string; octets: SentOctets[] }[];
}

export function socksRecordingOf(name: string): SocksRecording {
  return JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8')) as SocksRecording;
}
