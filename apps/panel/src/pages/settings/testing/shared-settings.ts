import type { ApplicationResponse } from '@postrider/server/document';
import { FakeGateway } from '../../../testing/fake-gateway';

const PATH = '/api/admin/apps/{id}';

/** The settings of the application `shop`, which another operator changes too. They have revisions, as at the gateway. */
export class SharedSettings {
  readonly gateway = new FakeGateway();
  settings: ApplicationResponse;
  #theirs: Partial<ApplicationResponse> | null = null;

  constructor(settings: Partial<ApplicationResponse>) {
    this.settings = { id: 'shop', revision: 1, ...settings } as ApplicationResponse;
    this.gateway.answer('GET', PATH, () => this.settings);
    this.gateway.answerWith('PATCH', PATH, ({ query, body }) => {
      if (this.#theirs !== null) this.#change(this.#theirs);
      this.#theirs = null;
      const { revision } = this.settings;
      if (query.revision === undefined || query.revision === String(revision)) {
        return Response.json(this.#change(body as Partial<ApplicationResponse>));
      }
      const error = { message: 'Somebody else has changed it', code: 'EDIT_CONFLICT', current: this.settings };
      return Response.json({ error }, { status: 409 });
    });
  }

  /** The other operator saves after the reader's form has read the settings, and before its change arrives. */
  saveBeforeNextChange(theirs: Partial<ApplicationResponse>): void {
    this.#theirs = theirs;
  }

  #change(changes: Partial<ApplicationResponse>): ApplicationResponse {
    this.settings = { ...this.settings, ...changes, revision: this.settings.revision + 1 };
    return this.settings;
  }
}
