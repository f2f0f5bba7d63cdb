import { EVENT_TYPES } from '../../api/constants';

export type SelectableEvent = Exclude<(typeof EVENT_TYPES)[number], 'webhook.test'>;

/** A test is always sent to the webhook that it was requested for. */
export const SELECTABLE_EVENTS = EVENT_TYPES.filter((type) => type !== 'webhook.test');

export const areAllEvents = (events: readonly string[]) =>
  SELECTABLE_EVENTS.every((type) => events.includes(type));
