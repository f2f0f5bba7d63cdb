import { FIELDS } from '../../../src/platform/config/environment-fields.js';
import { EnvironmentVariables } from '../../../src/platform/config/environment.js';

/** The names of all variables that the service reads, except those of `rcpt bulk`. */
export const VARIABLES: readonly string[] = [...FIELDS.keys()];

/** The defaults of the variables that are a number in the environment too. */
export const DEFAULT_NUMBERS: ReadonlyMap<string, number> = new Map(
  Object.entries(new EnvironmentVariables()).filter(([name]) => FIELDS.get(name)?.isNumber) as [
    string,
    number,
  ][],
);
