import type { Draft, Operation } from './openapi-fuzz.js';

interface Answer {
  headers: Record<string, string>;
  body: unknown;
}

/** Request members whose name differs from the response member. */
const TOLD_AS: Readonly<Record<string, string>> = { invite_token: 'token' };
const MAX_OF_A_KIND = 50;

/** Ids and tokens from earlier responses, for use in paths and bodies. */
export class KnownIds {
  /** By path template. */
  private readonly things = new Map<string, string[]>();
  private readonly values = new Map<string, string[]>();

  constructor(private readonly operations: readonly Operation[]) {}

  /** Stores the ids in `Location`, in an object or in a list. */
  learn({ template }: Operation, { headers, body }: Answer): void {
    for (const kind of new Set(this.operations.map((operation) => collectionOf(operation.template)))) {
      if (kind === null) continue;
      const [collection, name] = kind;
      const { location = '' } = headers;
      if (location.startsWith(`${collection}/`))
        remember(this.things, collection, location.slice(collection.length + 1));
      for (const item of itemsAt(collection.slice(template.length), collection.startsWith(template), body))
        remember(this.things, collection, item[name]);
    }
    for (const [name, value] of Object.entries(objectOf(body))) remember(this.values, name, value);
  }

  /** Replaces generated ids of a draft with stored ones; a generated cursor is removed. */
  instead({ template }: Operation, draft: Draft, pick: number): Draft {
    const query = draft.query.filter(([parameter]) => parameter !== 'cursor');
    const [collection = '', name = ''] = collectionOf(template) ?? [];
    const thing = chosen(this.things.get(collection), pick);
    const params = thing === undefined ? draft.params : { ...draft.params, [name]: thing };
    if (typeof draft.body !== 'object' || draft.body === null || Array.isArray(draft.body))
      return { ...draft, params, query };
    const known = Object.keys(draft.body).flatMap((member) => {
      if (!/token$|_id$/.test(member)) return [];
      const value = chosen(this.values.get(TOLD_AS[member] ?? member), pick);
      return value === undefined ? [] : [[member, value] as const];
    });
    return { ...draft, params, query, body: { ...draft.body, ...Object.fromEntries(known) } };
  }
}

/** `/v1/keys` and `id`, of `/v1/keys/{id}/rotate`. */
function collectionOf(template: string): [collection: string, name: string] | null {
  const [, collection, name] = /^(.*?)\/\{(\w+)\}/.exec(template) ?? [];
  return collection === undefined || name === undefined ? null : [collection, name];
}

/** The body, its `data`, or the list in it. */
function itemsAt(rest: string, isBelow: boolean, body: unknown): Record<string, unknown>[] {
  if (!isBelow) return [];
  const whole = objectOf(body);
  const list = rest === '' ? whole.data : whole[rest.slice(1)];
  return (Array.isArray(list) ? list : rest === '' ? [whole] : []).map(objectOf);
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function chosen(all: readonly string[] = [], pick: number): string | undefined {
  return all.length === 0 ? undefined : all[pick % all.length];
}

function remember(under: Map<string, string[]>, name: string, value: unknown): void {
  if (typeof value !== 'string') return;
  const known = under.get(name) ?? [];
  if (!known.includes(value)) under.set(name, [...known, value].slice(-MAX_OF_A_KIND));
}
