import type { Draft, Operation } from './openapi-fuzz.js';

interface Answer {
  headers: Record<string, string>;
  body: unknown;
}

/** Members that are asked for under another name than they were told. */
const TOLD_AS: Readonly<Record<string, string>> = { invite_token: 'token' };
const MOST_OF_A_KIND = 50;

/** What answers have told: the things that paths can name, and the tokens and ids that bodies ask for. */
export class ThingsSeen {
  /** By the template that names such a thing. */
  private readonly things = new Map<string, string[]>();
  private readonly values = new Map<string, string[]>();

  constructor(private readonly operations: readonly Operation[]) {}

  /** Reads the ids that `Location`, the thing itself or a list of them hold. */
  learn({ template }: Operation, { headers, body }: Answer): void {
    for (const kind of new Set(this.operations.map((each) => collectionOf(each.template)))) {
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

  /** The draft with what was seen in the place of what was made up; a made-up cursor is left out. */
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

/** The body itself, its `data`, or the list in it that the collection's path goes on with. */
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
  if (!known.includes(value)) under.set(name, [...known, value].slice(-MOST_OF_A_KIND));
}
