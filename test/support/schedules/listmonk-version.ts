/** The releases that `test/support/recorded/listmonk` has recordings of. */
export const LISTMONK_VERSIONS = ['3.0.0', '5.1.0', '6.2.0'] as const;

export type ListmonkVersion = (typeof LISTMONK_VERSIONS)[number];

/** The major version. */
export function numberOf(version: ListmonkVersion): number {
  return Number(version.split('.')[0]);
}
