import { Injectable } from '@nestjs/common';
import PostalMime, { type Attachment } from 'postal-mime';
import { MalformedReport } from '../domain/outcome-intake.errors.js';
import { MessageParser, type MailMessage, type MailPart } from '../domain/reports/mail-message.js';

const LIMITS = { maxNestingDepth: 20, maxHeadersSize: 500_000, maxRfc822NestingDepth: 0 };
/** The parts that a report consists of; others are not decoded to text. */
const REPORT_PARTS =
  /^(message\/(global-)?(delivery-status|feedback-report|rfc822)|text\/rfc822(-headers)?)$/;
/** Of the returned message only the header is needed. */
const MAX_PART_LENGTH = 200_000;

@Injectable()
export class MimeMessageParser extends MessageParser {
  async parse(bytes: Buffer): Promise<MailMessage> {
    const email = await PostalMime.parse(bytes, {
      ...LIMITS,
      forceRfc822Attachments: true,
      attachmentEncoding: 'arraybuffer',
    }).catch(() => null);
    if (email === null || email.headers.length === 0) throw new MalformedReport();
    const headers = new Map(email.headers.toReversed().map(({ key, value }) => [key, value]));
    return {
      header: (name) => headers.get(name) ?? null,
      text: (email.text ?? '').slice(0, MAX_PART_LENGTH),
      parts: email.attachments.flatMap(partOf),
    };
  }
}

function partOf({ mimeType, content }: Attachment): MailPart[] {
  if (!REPORT_PARTS.test(mimeType)) return [];
  const text = typeof content === 'string' ? content : Buffer.from(content as Uint8Array).toString('utf8');
  return [{ type: mimeType, text: text.slice(0, MAX_PART_LENGTH) }];
}
