/**
 * The text of a released version in the changelog.
 *
 * @throws Error if it has none, is without a date, or has no entry
 */
export function releaseNotes(changelog: string, version: string): string {
  const [, head = '', text = ''] =
    changelog
      .split(/^(?=## )/m)
      .map((section) => /^## (.+)\n([^]*)$/.exec(section) ?? [])
      .find(([, head = '']) => head.split(/[, ]/)[0] === version) ?? [];
  if (head === '') throw new Error(`CHANGELOG.md has no section ${version}`);
  if (!/^\S+ - \d{4}-\d\d-\d\d$/.test(head))
    throw new Error(`CHANGELOG.md says "${head}": write "${version} - " and the date`);
  // A head without entries is left out.
  const kept = text.split(/^(?=### )/m).filter((part) => part.replace(/^### .*/, '').trim() !== '');
  const notes = kept.join('').trim();
  if (notes === '') throw new Error(`CHANGELOG.md says nothing about ${version}`);
  return `${notes}\n`;
}
