/**
 * Fields of requests and responses. Each decorator applies the rules of class-validator, the
 * transformation of class-transformer and the property of the OpenAPI document together.
 */
export {
  AnyObject,
  CountsBy,
  Count,
  Day,
  DecimalNumber,
  Flag,
  Link,
  ListOf,
  ObjectOf,
  OneOf,
  SomeOf,
  Texts,
  Time,
  WholeNumber,
  WholeNumbers,
} from './fields/values.js';
export {
  DisplayName,
  DomainName,
  EmailAddress,
  Id,
  Matching,
  Remark,
  SearchText,
  Text,
} from './fields/text.js';
export { LinkToken } from './fields/link-token.js';
export { OneOrMore } from './fields/one-or-more.js';
export { Networks } from './fields/networks.js';
export { RequestHeaders } from './fields/request-headers.js';
export { Origins } from './fields/origins.js';
export {
  DelimiterParameter,
  FlagParameter,
  NumberParameter,
  PageCursor,
  PageLimit,
  SeveralOf,
} from './fields/query.js';
export { Schema, SchemaWithAny, SchemaWithOne } from './fields/schema.js';
