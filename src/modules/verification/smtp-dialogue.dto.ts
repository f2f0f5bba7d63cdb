import { ListOf, OneOf, Schema, Text } from '../../platform/http/validation/fields.js';
import { TRANSCRIPT_SOURCES, type TranscriptLine } from '../../engine/smtp/smtp-transcript.js';

@Schema('SmtpDialogueLine')
export class SmtpDialogueLine {
  @OneOf(TRANSCRIPT_SOURCES, { description: '`connection`: `text` is the host that is contacted next.' })
  source: TranscriptLine['source'];

  @Text({ description: 'At most 200 characters.', example: 'RCPT TO:<jane@example.com>' })
  text: string;
}

export class WithDialogue {
  @ListOf(() => SmtpDialogueLine, {
    optional: true,
    description:
      'Only if requested with `dialogue`: at most 40 lines. Empty: no server was contacted, as for a cached verdict.',
  })
  dialogue?: SmtpDialogueLine[];
}
