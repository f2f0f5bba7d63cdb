/** Port: requests to Amazon SNS. The URL was checked (`snsSignatureOf`, `isConfirmationUrl`). */
export abstract class SnsEndpoint {
  /** The body of the response; null: Amazon has nothing there. @throws if Amazon does not respond. */
  abstract get(url: string): Promise<string | null>;
}
