/** Port: requests to Amazon SNS. The URL was checked (`isAmazonUrl`). */
export abstract class SnsEndpoint {
  /** The body of the response. @throws if there is no response with a status of 200. */
  abstract get(url: string): Promise<string>;
}
