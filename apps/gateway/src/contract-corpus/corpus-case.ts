/**
 * A request of the corpus. Placeholders such as `<case>` and `<installation>` are filled in when it is sent: see
 * `fillIn`.
 */
export interface CorpusCase {
  /** `POST /api/push/toUsers`: method and path as in the API document. */
  operation: string;
  /** What is special about it. The name is unique within the operation. */
  name: string;
  /** The path, possibly with a query, behind the application's base path. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** The bytes of the body. */
  body?: string;
}

/** A good request, from which bad ones are made. */
export interface Sample {
  operation: string;
  name: string;
  url: string;
  body: object;
  /** Uses one of this many bad requests. Default: every one. */
  every?: number;
}
