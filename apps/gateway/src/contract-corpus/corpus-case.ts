/** A request of the corpus. Texts such as `<case>` and `<installation>` in it are filled in when it is sent: see `fillIn`. */
export interface CorpusCase {
  /** `POST /api/push/toUsers`: method and path as the API document writes them. */
  operation: string;
  /** What is special about it; no other case of the operation has this name. */
  name: string;
  /** The path, perhaps with a query, behind the application's base path. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** As it stands on the wire. */
  body?: string;
}

/** A good request, which others are made of by spoiling it. */
export interface Sample {
  operation: string;
  name: string;
  url: string;
  body: object;
  /** One of this many spoiled requests is taken; default: every one. */
  every?: number;
}
