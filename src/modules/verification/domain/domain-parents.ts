/**
 * The domain itself, then what is left when one label after the other is taken off its front:
 * `a.b.example` gives `a.b.example`, `b.example`, `example`.
 */
export function domainAndParents(domain: string): string[] {
  const labels = domain.split('.');
  return labels.map((_, first) => labels.slice(first).join('.'));
}
