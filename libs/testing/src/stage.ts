/** What the tests of a file share, such as a database: opened for the file, and begun anew with each test. */
export interface Stage {
  open(): Promise<void>;
  begin(): Promise<void>;
  /** Leaves nothing of the test that is over. Left out: `begin` does. */
  end?(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a stage for the tests of the file that calls this, and closes it after the last one. */
export function useStage<T extends Stage>(stage: T): T {
  beforeAll(() => stage.open());
  beforeEach(() => stage.begin());
  afterEach(() => stage.end?.());
  afterAll(() => stage.close());
  return stage;
}
