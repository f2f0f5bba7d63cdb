import { withoutInvisible, withoutSurroundingSpace } from '../../kernel/text/surrounding-space.js';
import { addressesWithin, parseMailbox } from './email-address.js';

/**
 * The address that a text means which is none: the first valid one in it, the same without invisible characters, or
 * the quoted spelling of a local part with dots that only quotes allow. null: none can be told.
 */
export function addressMeant(written: string): string | null {
  const text = withoutSurroundingSpace(written);
  const [within] = addressesWithin(text);
  if (within !== undefined) return within.normalized;
  const visible = withoutInvisible(text);
  return normalized(visible) ?? (visible === text ? quoted(text) : addressMeant(visible));
}

/** Some providers gave out addresses with such dots, and take them in quotes. */
function quoted(text: string): string | null {
  const parsed = parseMailbox(text);
  if (parsed.ok || parsed.error !== 'local_part_dot') return null;
  const at = text.lastIndexOf('@');
  return normalized(`"${text.slice(0, at)}"${text.slice(at)}`);
}

function normalized(text: string): string | null {
  const parsed = parseMailbox(text);
  return parsed.ok ? parsed.address.normalized : null;
}
