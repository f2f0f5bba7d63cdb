import { validateSync, type ValidationError, type ValidatorOptions } from 'class-validator';

/** For files: a member that the class does not declare is an error. */
export const REFUSE_UNKNOWN: ValidatorOptions = { whitelist: true, forbidNonWhitelisted: true };

/**
 * Validates an instance of a decorated class.
 *
 * @returns one sentence for each invalid property: its path and the message of the first constraint
 *   that fails. Values are not quoted. Empty: the instance is valid.
 */
export function problemsOf(instance: object, options: ValidatorOptions = {}): string[] {
  const errors = validateSync(instance, {
    stopAtFirstError: true,
    validationError: { target: false, value: false },
    ...options,
  });
  return errors.flatMap((error) => sentencesOf(error, []));
}

function sentencesOf(
  { property, constraints = {}, children = [] }: ValidationError,
  above: string[],
): string[] {
  const path = [...above, property];
  const [first] = Object.entries(constraints);
  const own = first === undefined ? [] : [`${path.join('.')} ${messageOf(...first)}`];
  return [...own, ...children.flatMap((child) => sentencesOf(child, path))];
}

/** The message for undeclared members cannot be set in class-validator. */
function messageOf(constraint: string, message: string): string {
  return constraint === 'whitelistValidation' ? 'is not known; omit it' : message;
}
