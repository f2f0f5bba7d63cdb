/** The document without texts and examples, which change with every wording. */
export function withoutProse<T>(value: T): T {
  return strip(value) as T;
}

function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, member]) =>
      !/^examples?$/.test(name) &&
      !(/^(description|summary|title)$/.test(name) && typeof member === 'string'),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, strip(member)]));
}
