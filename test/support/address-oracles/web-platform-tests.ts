/** The web platform tests of e-mail inputs. Source, licence and omissions: NOTICE.md in this directory. */

/** A value, and whether an `<input type=email>` with it is valid. */
export type FormCase = readonly [value: string, valid: boolean];

export const FORM_CASES: readonly FormCase[] = [
  // the-input-element/email-validity.window.js
  ['a', false],
  ['a@a', true],
  ['a@ñ', true],
  ['ñ@ñ', true],
  ['a@123', true],
  ['a@123.123.123.123', true],
  ['a@123.123.123.123.123', false],
  ['a@0xFFFFFFFFF', false],
  ['a@[123.123.123.123]', false],
  ['a@\uFFFD', false],
  ['a@[::1]', true],
  // the-input-element/email.html
  ['user2@example.com\n', true],
  ['user3@example.com\r', true],
  ['user4@example.com', true],
  ['user,@example.com', false],
  ['user@e\\U000Axample.com', false],
  ['user@e\\U000Dxample.com', false],
  // constraints/form-validation-validity-typeMismatch.html
  ['', true],
  ['test@example.com', true],
  ['\n\r \t test@example.com \n\r \t', true],
  ['abc', false],
  ['test1@example.com,test2@example.com', false],
  ['test1@example.com;test2@example.com', false],
];

/** From the-input-element/email-value-idn.html: a value and its sanitized form. */
export const FORM_IDN_CASES: readonly (readonly [value: string, ascii: string])[] = [
  ['test@exämle.com', 'test@xn--exmle-hra.com'],
  ['user@お.com', 'user@xn--t8j.com'],
];
