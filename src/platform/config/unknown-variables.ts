import { editDistance } from '../../kernel/text/edit-distance.js';

/** Begin with the name of a subject that only Rcpt has here. Those of Redis and others may be for their own programs. */
const PREFIXES =
  /^(SMTP|DNS|MX|WEBHOOK|OIDC|INVITE|STRIPE|EGRESS|BULK|SIGNUP|AUDIT|BILLING|REDIRECT|METRICS|TIERS|PROVIDERS)_/;
/** Shorter names are similar to too many others. */
const MIN_LENGTH = 6;
const MAX_DISTANCE = 2;

/**
 * Variables that look like settings and are none, so that a mistyped one is not silent.
 *
 * @param known the names of all settings.
 * @returns a sentence for each.
 */
export function unknownVariables(known: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const unknown = Object.keys(env).filter((name) => !known.includes(name) && env[name]?.trim());
  return unknown.flatMap((name) => {
    const meant = similarTo(name, known);
    if (meant !== undefined) return [`${name} is no setting and has no effect; ${meant} is one.`];
    return PREFIXES.test(name)
      ? [`${name} is no setting and has no effect; docs/installation.md lists the settings.`]
      : [];
  });
}

function similarTo(name: string, known: readonly string[]): string | undefined {
  if (name.length < MIN_LENGTH) return undefined;
  const near = known
    .filter((each) => each.length >= MIN_LENGTH && Math.abs(each.length - name.length) <= MAX_DISTANCE)
    .map((each) => ({ each, distance: editDistance(name, each, MAX_DISTANCE) }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .toSorted((a, b) => a.distance - b.distance)[0]?.each;
  return near ?? (PREFIXES.test(name) ? known.find((each) => each.startsWith(`${name}_`)) : undefined);
}
