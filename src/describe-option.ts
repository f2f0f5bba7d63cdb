import type { Option } from 'commander';

/** Defaults as they are written in a command. */
export function describeOption({
  description,
  mandatory,
  argChoices,
  defaultValue,
  ...option
}: Option): string {
  const shown =
    typeof defaultValue === 'string' || typeof defaultValue === 'number' ? String(defaultValue) : null;
  const value = option.defaultValueDescription ?? shown;
  const notes = [
    ...(mandatory ? ['required'] : []),
    ...(argChoices === undefined ? [] : [`one of ${argChoices.join(', ')}`]),
    ...(value === null ? [] : [`default: ${value}`]),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}
