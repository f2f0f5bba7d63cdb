import type { Socket } from 'node:net';

/** The mail server of a benchmark. It replies after one latency; pipelined commands together. */
export interface SmtpDialogue {
  latencyMs: number;
  pipelining: boolean;
  /** The reply to RCPT. */
  replyTo: (recipient: string) => string;
  onCommands?: (count: number) => void;
}

export const ACCEPTED = '250 2.1.5 Ok';
export const unknownUser = (recipient: string) =>
  `550 5.1.1 <${recipient}>: Recipient address rejected: User unknown in local recipient table`;

/** Calls this once, when the session no longer counts. */
export function onEnded(socket: Socket, ended: () => void): void {
  // A real server does not wait for the client's FIN before it takes the next connection.
  for (const event of ['finish', 'close']) socket.on(event, () => socket.emit('ended'));
  socket.once('ended', ended).on('error', () => socket.destroy());
}

/** Rejects a connection above the limit. */
export function turnAway(socket: Socket, latencyMs: number): void {
  socket.resume();
  setTimeout(() => socket.end('421 4.7.0 mx Error: too many connections\r\n'), latencyMs);
}

export function converse(socket: Socket, dialogue: SmtpDialogue): void {
  const later = (text: string) => setTimeout(() => socket.writable && socket.write(text), dialogue.latencyMs);
  later('220 mx.mailworld ESMTP Postfix\r\n');
  let unread = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    const lines = (unread + text).split('\r\n');
    unread = lines.pop() ?? '';
    dialogue.onCommands?.(lines.length);
    later(lines.map((line) => `${replyTo(line, dialogue)}\r\n`).join(''));
    if (lines.some((line) => /^quit/i.test(line))) setTimeout(() => socket.end(), dialogue.latencyMs);
  });
}

function replyTo(line: string, { pipelining, replyTo: toRecipient }: SmtpDialogue): string {
  switch (line.slice(0, 4).toUpperCase()) {
    case 'EHLO':
      return `250-mx.mailworld\r\n${pipelining ? '250-PIPELINING\r\n' : ''}250-SIZE 10240000\r\n250 ENHANCEDSTATUSCODES`;
    case 'HELO':
      return '250 mx.mailworld';
    case 'MAIL':
      return '250 2.1.0 Ok';
    case 'RCPT':
      return toRecipient(/<(.*)>/.exec(line)?.[1] ?? '');
    case 'RSET':
      return '250 2.0.0 Ok';
    case 'QUIT':
      return '221 2.0.0 Bye';
    default:
      return '502 5.5.2 Error: command not recognized';
  }
}
