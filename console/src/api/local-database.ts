import { BASE } from './connection';

/** The database of the browser with what the service does not get. */
export const LOCAL_DATABASE = `rcpt ${BASE}`;

/** Open connections are closed before. */
export function deleteLocalDatabase(): void {
  indexedDB.deleteDatabase(LOCAL_DATABASE);
}
