import type { OutcomeReceipt } from '../../../modules/events/outcome-intake/outcome-intake.dto.js';
import type { Shape } from '../../service-client.js';

/** The response of `POST /v1/outcomes`. */
export const RECEIPT = {
  received: 'number',
  stored: 'number',
  duplicates: 'number',
  ignored: [{ index: 'number', code: 'string', message: 'string' }],
} satisfies Shape<OutcomeReceipt>;
