/** A part of a list, and where the next part begins. */
export interface PageOfList {
  nextCursor: string | null;
}

/**
 * A list that the service answers page by page. `await` gives its first page. `for await` goes through the entries of all pages, and
 * reads each page when it is needed. Nothing is asked before.
 */
export class Pages<Page extends PageOfList, Entry> implements PromiseLike<Page>, AsyncIterable<Entry> {
  #first: Promise<Page> | undefined;

  /**
   * @param read gives the page that begins at a cursor
   * @param entries the field of a page that holds its entries
   */
  constructor(
    private readonly read: (cursor?: string) => Promise<Page>,
    private readonly entries: string & keyof Page,
  ) {}

  then<Value = Page, Refused = never>(
    onPage?: ((page: Page) => Value | PromiseLike<Value>) | null,
    onError?: ((error: unknown) => Refused | PromiseLike<Refused>) | null,
  ): Promise<Value | Refused> {
    this.#first ??= this.read();
    return this.#first.then(onPage, onError);
  }

  /** The pages from the first to the last. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let page: Page = await this;
    for (;;) {
      yield page;
      if (page.nextCursor === null) return;
      page = await this.read(page.nextCursor);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    for await (const page of this.pages()) yield* page[this.entries] as Iterable<Entry>;
  }
}
