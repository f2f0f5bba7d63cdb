/** The console and the client package are compiled with the same generated types. */
export type { components, paths } from '../../../clients/typescript/src/schema';
