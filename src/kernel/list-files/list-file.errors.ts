import { DomainError, type ErrorDefinition } from '../errors.js';

export class MalformedList extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'malformed_list',
    status: 400,
    title: 'The list cannot be read',
    help: 'The body does not match its content type, is in another encoding, or is incomplete; `detail` names the line. A CSV has its addresses in a column with a usual name such as `email` or `E-Mail`, in the only column of which most cells are addresses, or in the one that `email_column` gives by name or number. A CSV of which nearly no row would have a valid address is refused too, unless `email_column` or `delimiter` is given. Nothing was charged. Save a workbook as CSV in UTF-8.',
  };
}

export class UnknownCharset extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'unknown_charset',
    status: 415,
    title: 'The charset of the list is not known',
    help: 'The `charset` of `text/csv` names the encoding of the list, unless `?encoding=` does or the list begins with a byte order mark. Save the list in UTF-8, or in one of the encodings that `detail` names.',
  };

  constructor(known: readonly string[]) {
    super(`Send the list as text/csv; charset= one of ${known.join(', ')}.`);
  }
}
