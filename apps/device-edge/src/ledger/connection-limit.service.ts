import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '@postrider/platform';
import { Connections } from '../session/session-registry';

/** How many connections this edge may hold. */
@Injectable()
export class ConnectionLimit {
  constructor(
    private readonly connections: Connections,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  get isReached(): boolean {
    return this.connections.count > this.config.maxConnections;
  }
}
