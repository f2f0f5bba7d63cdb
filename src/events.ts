import { documentedEvents, type DocumentedEvent } from './modules/webhooks/event-catalogue.js';

/** Every event that is sent to webhooks. The OpenAPI document lists them. */
export const EVENTS: readonly DocumentedEvent[] = documentedEvents();
