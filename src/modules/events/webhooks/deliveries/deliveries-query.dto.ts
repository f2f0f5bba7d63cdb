import { PageQuery } from '../../../../platform/http/paging/cursor.js';
import { Count, OneOf, Schema, Time } from '../../../../platform/http/validation/fields.js';
import { DELIVERY_STATUSES, type DeliveryFilter, type DeliveryStatus } from '../domain/delivery.js';
import type { EventType } from '../domain/webhook.js';
import { EVENT_TYPES } from '../events/events.dto.js';

export class DeliveriesQuery extends PageQuery {
  @OneOf(DELIVERY_STATUSES, { optional: true, description: 'Only deliveries of this status.' })
  status?: DeliveryStatus;

  @OneOf(EVENT_TYPES, { optional: true, description: 'Only deliveries of events of this type.' })
  type?: EventType;

  @Time({ optional: true, description: 'Deliveries created since this time.' })
  from?: string;

  @Time({ optional: true, description: 'Deliveries created before this time.' })
  to?: string;
}

@Schema('RetryFailed')
export class RetryFailed {
  @Time({ description: 'Failed deliveries created since this time are retried.' })
  since: string;
}

@Schema('RetriedDeliveries')
export class RetriedResponse {
  @Count('Deliveries that are retried.')
  retried: number;
}

export function toFilter({ status, type, from, to }: DeliveriesQuery): DeliveryFilter {
  const time = (text: string | undefined) => (text === undefined ? null : new Date(text));
  return { status: status ?? null, type: type ?? null, from: time(from), to: time(to) };
}
