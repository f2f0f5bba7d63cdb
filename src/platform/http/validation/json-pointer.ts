/** RFC 6901. Segments are truncated, since they may be input of the caller. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map((key) => `/${String(key).slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
