import { VerdictResponse } from './modules/verification/verification.dto.js';
import { documentedEvents, type DocumentedEvent } from './modules/webhooks/event-catalogue.js';

/** Every event that a team can hear of: the OpenAPI document lists them. */
export const EVENTS: readonly DocumentedEvent[] = documentedEvents(VerdictResponse);
