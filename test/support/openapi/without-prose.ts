/** The document without texts and examples, which change with every wording. */
export function withoutProse<T>(value: T): T {
  return strip(value, null) as T;
}

/** @param parent the member that has the value: members of `properties` are names of the API and no keywords. */
function strip(value: unknown, parent: string | null): unknown {
  if (Array.isArray(value)) return value.map((item) => strip(item, null));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(
    ([name, member]) =>
      parent === 'properties' ||
      (!/^examples?$/.test(name) &&
        !(/^(description|summary|title)$/.test(name) && typeof member === 'string')),
  );
  return Object.fromEntries(kept.map(([name, member]) => [name, strip(member, name)]));
}
