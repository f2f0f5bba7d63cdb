export interface MediaType {
  /** In lower case; empty: there is none. */
  type: string;
  /** In lower case. */
  charset: string | null;
}

/**
 * Parses a `Content-Type`. Parameters are read leniently, since clients write `;` and `; utf-8`, and most have no
 * effect: JSON has none (RFC 8259 §11).
 */
export function mediaTypeOf(header = ''): MediaType {
  const [name = '', ...parameters] = header.split(';');
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(name.trim()) ? name.trim().toLowerCase() : '';
  const named = parameters.map((parameter) => /^charset\s*=(.*)$/i.exec(parameter.trim())?.[1]);
  const charset = named.find((value) => value !== undefined)?.replace(/["'\s]/g, '');
  return { type, charset: charset === undefined || charset === '' ? null : charset.toLowerCase() };
}
