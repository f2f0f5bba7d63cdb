import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from './steps.js';

/** Stands for an object that is stored once: `=NAME`. */
const REFERENCE = /^=/;

/** A request, and what listmonk answered. */
export interface Exchange {
  as: string;
  /** In place of the user's token. null: without a header. */
  token?: string | null;
  request: { method: string; path: string; body?: unknown };
  response: { status: number; type: string; body: unknown };
  /** Who got a mail. */
  mails?: readonly string[];
  /** Once for each number, which stands in place of `{n}`. */
  each?: readonly [number, number];
}

export interface RecordedScene {
  title: string;
  exchanges: (Exchange | Event)[];
}

export interface Recording {
  version: string;
  users: string[];
  /** A subscriber of the numbers that results have in place of it, `[first, last]`: `{n}` is the number. */
  person: object;
  /** Lists, subscriptions and subscribers by name. */
  objects: Record<string, unknown>;
  scenes: RecordedScene[];
}

export function recordingOf(version: string): Recording {
  return JSON.parse(readFileSync(join(import.meta.dirname, `v${version}.json`), 'utf8')) as Recording;
}

const TIME = '2026-01-01T00:00:00Z';
const UUID = '00000000-0000-4000-8000-000000000000';
/** In the text of an error. */
const TIMES_WITHIN = /\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d+\+00/g;
const TIMES = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
const UUIDS = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Texts of these members are not those of the clock. */
const SENT = new Set(['attribs']);

/** Without what each run makes anew: times and UUIDs. */
export function stable(value: unknown): unknown {
  if (typeof value === 'string') {
    if (UUIDS.test(value)) return UUID;
    return TIMES.test(value) ? TIME : value.replaceAll(TIMES_WITHIN, TIME);
  }
  if (Array.isArray(value)) return value.map(stable);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, SENT.has(name) ? member : stable(member)]),
  );
}

/** A value with the number in place of `{n}`; alone, `{n}` is a number. */
export function numbered<Value>(value: Value, n: number): Value {
  const text = JSON.stringify(value);
  if (text === undefined) return value;
  return JSON.parse(text.replaceAll('"{n}"', String(n)).replaceAll('{n}', String(n))) as Value;
}

type Bodies = Pick<Recording, 'person' | 'objects'>;

/** A body in which each object stands once: ranges of people are numbers, others are references to `objects`. */
export function shortened(body: unknown, { person, objects }: Bodies): unknown {
  if (Array.isArray(body)) return rangesOf(body, person).map((item) => shortened(item, { person, objects }));
  if (body === null || typeof body !== 'object') return body;
  const members = Object.entries(body).map(([name, member]) => [
    name,
    SENT.has(name) ? (member as unknown) : shortened(member, { person, objects }),
  ]);
  const short: unknown = Object.fromEntries(members);
  if (!('uuid' in body)) return short;
  const base = nameOf(body);
  const text = JSON.stringify(short);
  for (let version = 1; ; version++) {
    const name = version === 1 ? base : `${base} (${version})`;
    objects[name] ??= short;
    if (JSON.stringify(objects[name]) === text) return `=${name}`;
  }
}

/** The inverse. */
export function whole(body: unknown, { person, objects }: Bodies): unknown {
  if (typeof body === 'string' && REFERENCE.test(body))
    return whole(objects[body.slice(1)], { person, objects });
  if (Array.isArray(body))
    return (body as unknown[]).flatMap((item) =>
      isRange(item) ? numbersOf(item).map((n) => numbered(person, n)) : [whole(item, { person, objects })],
    );
  if (body === null || typeof body !== 'object') return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, member]) => [
      name,
      SENT.has(name) ? (member as unknown) : whole(member, { person, objects }),
    ]),
  );
}

export function numbersOf([first, last]: readonly [number, number]): number[] {
  const step = first <= last ? 1 : -1;
  return Array.from({ length: Math.abs(last - first) + 1 }, (_, at) => first + at * step);
}

function isRange(item: unknown): item is [number, number] {
  return Array.isArray(item) && item.length === 2 && item.every((n) => typeof n === 'number');
}

function rangesOf(items: readonly unknown[], person: object): unknown[] {
  const short: unknown[] = [];
  for (const item of items) {
    const { id } = (item ?? {}) as { id?: number };
    if (id === undefined || JSON.stringify(item) !== JSON.stringify(numbered(person, id))) short.push(item);
    else if (!continues(short.at(-1), id)) short.push([id, id]);
    else (short.at(-1) as [number, number])[1] = id;
  }
  return short;
}

function continues(range: unknown, id: number): boolean {
  if (!isRange(range)) return false;
  const [first, last] = range;
  return first === last ? Math.abs(id - last) === 1 : id - last === Math.sign(last - first);
}

function nameOf(object: object): string {
  const { id, name, email, subscription_status: status } = object as Record<string, number | string>;
  if (email !== undefined) return `subscriber ${String(id)}`;
  return status === undefined ? `list ${String(id)}` : `${String(name)}, ${String(status)}`;
}
