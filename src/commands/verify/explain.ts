import type { SmtpStage } from '../../kernel/verdict.js';
import { explainReply, type ReplyExplanation } from '../../engine/replies/reply-explanation.js';
import { MAILBOX_STATES } from '../../engine/replies/reply-model.js';
import { print, UsageError, type Format } from '../terminal.js';
import { greatest } from '../../kernel/long-lists.js';

interface ExplainOptions extends Format {
  stage: SmtpStage;
  provider?: string;
  recipient?: string;
}

const MAX_FEATURES = 12;

export function explain(text: string, options: ExplainOptions): Promise<void> {
  const { stage, provider = null, recipient = '' } = options;
  const explanation = explainReply({ text, stage, provider, recipient });
  if (explanation === null)
    throw new UsageError('A reply begins with its code, as in "550 5.1.1 User unknown".');
  print(options, toJson(explanation), () => describe(explanation));
  return Promise.resolve();
}

function toJson({ enhancedCode, mailboxState, ...explanation }: ReplyExplanation) {
  return { ...explanation, enhanced_code: enhancedCode, mailbox_state: mailboxState };
}

function describe(explanation: ReplyExplanation): string {
  const { category, about, rule, mailboxState, probability, features, unread } = explanation;
  const shown = features.slice(0, MAX_FEATURES);
  const width = greatest(
    shown.map(({ feature }) => feature.length),
    'probability'.length,
  );
  const cell = (text: string) => text.padStart(8);
  const row = (name: string, values: readonly number[]) =>
    `  ${name.padEnd(width)}${values.map((value) => cell(value.toFixed(2))).join('')}`;
  return [
    `category  ${category}`,
    `about     ${about ?? 'not stated'}`,
    `rule      ${rule}`,
    `mailbox   ${mailboxState === 'none' ? 'not stated' : mailboxState}`,
    ...(unread.length === 0 ? [] : [`not read  ${unread.join(', ')}`]),
    '',
    `  ${'feature'.padEnd(width)}${MAILBOX_STATES.map(cell).join('')}`,
    ...shown.map(({ feature, weight }) =>
      row(
        feature,
        MAILBOX_STATES.map((state) => weight[state]),
      ),
    ),
    row(
      'probability',
      MAILBOX_STATES.map((state) => probability[state]),
    ),
  ].join('\n');
}
