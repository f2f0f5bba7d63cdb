import type { SmtpStage } from '../kernel/verdict.js';
import { explainReply, type ReplyExplanation } from '../modules/verification/domain/reply-explanation.js';
import { READINGS } from '../modules/verification/domain/reply-model.js';
import { print, UsageError, type Format } from './terminal.js';

interface ExplainOptions extends Format {
  stage: SmtpStage;
  provider?: string;
  recipient?: string;
}

const MAX_FEATURES = 12;

/** Prints the classification of a mail server's reply, with the rule and the weights. */
export function explain(text: string, options: ExplainOptions): Promise<void> {
  const { stage, provider = null, recipient = '' } = options;
  const explanation = explainReply({ text, stage, provider, recipient });
  if (explanation === null)
    throw new UsageError('A reply begins with its code, as in "550 5.1.1 User unknown".');
  print(options, toJson(explanation), () => describe(explanation));
  return Promise.resolve();
}

function toJson({ code, enhancedCode, category, rule, reading, probability, features }: ReplyExplanation) {
  return { code, enhanced_code: enhancedCode, category, rule, reading, probability, features };
}

function describe({ category, rule, reading, probability, features }: ReplyExplanation): string {
  const shown = features.slice(0, MAX_FEATURES);
  const width = Math.max(8, ...shown.map(({ feature }) => feature.length));
  const cell = (text: string) => text.padStart(8);
  const row = (name: string, values: readonly number[]) =>
    `  ${name.padEnd(width)}${values.map((value) => cell(value.toFixed(2))).join('')}`;
  return [
    `category  ${category}`,
    `rule      ${rule}`,
    `words     ${reading === 'none' ? 'say nothing of the mailbox' : `say: ${reading}`}`,
    '',
    `  ${'feature'.padEnd(width)}${READINGS.map(cell).join('')}`,
    ...shown.map(({ feature, weight }) =>
      row(
        feature,
        READINGS.map((each) => weight[each]),
      ),
    ),
    row(
      'together',
      READINGS.map((each) => probability[each]),
    ),
  ].join('\n');
}
