import { getMetadataStorage, IS_INT } from 'class-validator';
import { EnvironmentVariables } from '../../../src/platform/config/environment.js';

const declared = getMetadataStorage().getTargetValidationMetadatas(EnvironmentVariables, '', false, false);

/** The names of all variables that the service reads, except those of `rcpt bulk`. */
export const VARIABLES: readonly string[] = [...new Set(declared.map(({ propertyName }) => propertyName))];

const numbers = new Set(
  declared.filter(({ name }) => name === IS_INT).map(({ propertyName }) => propertyName),
);

/** The defaults of the variables that are a number in the environment too. */
export const DEFAULT_NUMBERS: ReadonlyMap<string, number> = new Map(
  Object.entries(new EnvironmentVariables()).filter(([name]) => numbers.has(name)) as [string, number][],
);
