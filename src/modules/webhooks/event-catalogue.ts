import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import type { DomainEvent } from '../../kernel/events.js';
import type { Mode } from '../../kernel/principal.js';
import type { DocumentedEvent } from '../../platform/http/openapi/openapi-events.js';
import { CATALOGUE, EVENT_TYPES } from './events.dto.js';
import type { EventType } from './domain/webhook.js';

/** The public data of an event, and its mode. @throws if the data does not match its schema. */
export function publicEvent(
  { type, data }: DomainEvent,
  publicUrl: string,
): { mode: Mode; data: Record<string, unknown> } {
  const entry = CATALOGUE[type as EventType];
  const mode = entry.inTestModeToo && data.mode === 'test' ? 'test' : 'live';
  const payload = plainToInstance(entry.data, { ...data, ...absoluteLinks(data.links, publicUrl) });
  const wrong = validateSync(payload, { whitelist: true, forbidUnknownValues: true });
  if (wrong.length > 0)
    throw new Error(
      `${type} has missing or invalid members: ${wrong.map(({ property }) => property).join(', ')}`,
    );
  return { mode, data: { ...payload } };
}

export function documentedEvents(): DocumentedEvent[] {
  return EVENT_TYPES.map((type) => {
    const { summary, data, posted = data, example } = CATALOGUE[type];
    const body = { type, timestamp: '2026-11-21T12:00:00.000Z', data: example };
    return { type, summary, data: posted, example: body };
  });
}

/** Events contain paths; receivers get URLs. */
function absoluteLinks(links: unknown, publicUrl: string): { links?: Record<string, string> } {
  if (typeof links !== 'object' || links === null) return {};
  const absolute = Object.entries(links).map(([name, path]) => [name, `${publicUrl}${path}`] as const);
  return { links: Object.fromEntries(absolute) };
}
