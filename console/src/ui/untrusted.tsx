/** Controls of Unicode that change how the text around them looks, and those that are invisible. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

/** A text of others: it cannot change its surroundings, and what it hides is shown by its code point. */
export function Untrusted({ text }: { text: string }) {
  if (!HIDDEN.test(text)) return <bdi>{text}</bdi>;
  return (
    <bdi>
      {Array.from(text, (character, index) =>
        HIDDEN.test(character) ? <code key={index}>␣{codeOf(character)}</code> : character,
      )}
    </bdi>
  );
}

/** The same where only a text can stand. */
export const visible = (text: string): string =>
  Array.from(text, (character) => (HIDDEN.test(character) ? `␣${codeOf(character)}` : character)).join('');

const codeOf = (character: string) =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
