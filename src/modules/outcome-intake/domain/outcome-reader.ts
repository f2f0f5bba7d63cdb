/** Port: reads a body as a whole. */
export abstract class OutcomeReader {
  /** The entries of a JSON body. @throws InvalidRequest, MalformedJson, PayloadTooLarge */
  abstract entries(bytes: AsyncIterable<Buffer>): Promise<readonly unknown[]>;

  /** @throws PayloadTooLarge */
  abstract message(bytes: AsyncIterable<Buffer>): Promise<Buffer>;
}
