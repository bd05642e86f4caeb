/** The import is no longer this worker's: another one took it on, or its application is gone. Nothing more is written. */
export class ImportLost extends Error {
  constructor() {
    super('The import is no longer held');
    this.name = 'ImportLost';
  }
}
