import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DIALOGUES } from './dialogues.js';
import type { SmtpRecording } from './recording.js';
import { hold } from './spoken-session.js';

const HELP = `Records what a mail server on 127.0.0.1 says, in ${import.meta.dirname}/NAME.json.

  npm run ts test/support/recorded/smtp/record.main.ts NAME PORT PROGRAM [SETTING …]

  npm run ts test/support/recorded/smtp/record.main.ts postfix 25 'Postfix 3.7.11' 'smtpd_helo_required = yes'

The server calls itself mx.test, is responsible for example.com, has the mailbox jane@example.com, offers STARTTLS and
delivers to a file. ONLY='a probe,TLS' records these dialogues alone. Recorded: the packages postfix, exim4-daemon-light and opensmtpd of Debian.
`;
const [name, port, program, ...settings] = process.argv.slice(2);
if (name === undefined || port === undefined || program === undefined) {
  process.stderr.write(HELP);
  process.exit(64);
}

const dialogues: SmtpRecording['dialogues'] = [];
const only = process.env.ONLY?.split(',');
for (const dialogue of DIALOGUES)
  if (only === undefined || only.includes(dialogue.title))
    dialogues.push({ title: dialogue.title, lines: await hold(Number(port), dialogue) });
const file = join(import.meta.dirname, `${name}.json`);
await writeFile(file, textOf({ program, settings, dialogues }));
process.stdout.write(`${file}\n`);

/** A line for each line that was said. */
function textOf({ program: of, settings: with_, dialogues: all }: SmtpRecording): string {
  const texts = all.map(
    ({ title, lines }) =>
      `{"title": ${JSON.stringify(title)}, "lines": [\n${lines.map((line) => JSON.stringify(line)).join(',\n')}\n]}`,
  );
  return `{\n"program": ${JSON.stringify(of)},\n"settings": ${JSON.stringify(with_)},\n"dialogues": [\n${texts.join(',\n')}\n]\n}\n`;
}
