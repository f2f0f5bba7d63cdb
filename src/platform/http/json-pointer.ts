/** RFC 6901; each segment is cut, since it may be the caller's own text. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map((key) => `/${String(key).slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
