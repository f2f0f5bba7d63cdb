import { Text } from './text.js';

/** The token of a link. */
export const LinkToken = (message: string, options: { optional?: true; description?: string } = {}) =>
  Text({ ...options, min: 1, max: 200, message, tooLong: 'A token has at most 200 characters.' });
