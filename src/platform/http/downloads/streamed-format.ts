import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

const JSON_TYPE = 'application/json';

export const STREAMED_TYPES = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The content types of a list that can also be downloaded, for the document. */
export const LIST_TYPES = [JSON_TYPE, 'text/csv', STREAMED_TYPES.ndjson];
/** Those of a list that is also a workbook. */
export const TABLE_TYPES = [...LIST_TYPES, STREAMED_TYPES.xlsx];

/** Injects which of the formats the client prefers (RFC 9110 §12.5.1); null: JSON, which has pages. */
export const StreamedFormat = createParamDecorator(
  (formats: readonly (keyof typeof STREAMED_TYPES)[], context: ExecutionContext) => {
    const types = formats.map((format) => STREAMED_TYPES[format]);
    const accepted = context
      .switchToHttp()
      .getRequest<Request>()
      .accepts([JSON_TYPE, ...types]);
    return formats.find((format) => STREAMED_TYPES[format] === accepted) ?? null;
  },
);
