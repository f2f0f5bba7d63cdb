import {
  isObject,
  isTextArray,
  type JsonShape,
  type Reference,
} from '../../../../platform/database/checks/data-checks.js';

export const WEBHOOK_REFERENCES: readonly Reference[] = [
  { from: 'webhook_deliveries.webhook_id', to: 'webhooks.id' },
];

export const WEBHOOK_SHAPES: readonly JsonShape[] = [
  { column: 'webhooks.events', isValid: isTextArray },
  { column: 'webhooks.secrets', isValid: (secrets) => Array.isArray(secrets) && secrets.length > 0 },
  { column: 'webhook_deliveries.data', isValid: isObject },
  { column: 'webhook_deliveries.attempts', isValid: Array.isArray },
];
