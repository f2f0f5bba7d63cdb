/** Port: the URL by which clients reach the service. */
export abstract class PublicUrl {
  /** Without a final slash. */
  abstract readonly publicUrl: string;
}
