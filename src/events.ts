import { documentedEvents } from './modules/webhooks/event-catalogue.js';
import type { DocumentedEvent } from './platform/http/openapi/openapi-events.js';

/** Every event that is sent to webhooks. The OpenAPI document lists them. */
export const EVENTS: readonly DocumentedEvent[] = documentedEvents();
