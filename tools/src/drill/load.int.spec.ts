import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { untilTrue } from '@postrider/testing';
import { Api } from '../start/api';
import { Load } from './load';

describe('the messages of a drill', () => {
  let gateway: Server;
  /** What the gateway answers next; the last one again and again. */
  let statuses: number[];
  let load: Load;

  beforeEach(async () => {
    gateway = createServer((request, response) => {
      request.resume();
      const status = statuses.length > 1 ? statuses.shift() : statuses[0];
      response.writeHead(status ?? 200).end('{}');
    });
    await new Promise<void>((listening) => gateway.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    load = new Load({ devices: [{ user: 'ada', token: 't' }], gateways: [new Api(url, 'pr_x')] });
  });
  afterEach(() => {
    gateway.close();
    gateway.closeAllConnections();
  });

  it('are sent again while a gateway is down, too busy or has not finished the first try', async () => {
    statuses = [503, 429, 409, 408, 422, 500, 200];
    load.begin(100, 20);
    await untilTrue(() => load.sent.length > 0);
    await load.end();
    expect(load.sent[0]).toMatchObject({ token: 't' });
  });

  it.each([400, 401, 403, 404])('end the drill when a gateway would refuse them for ever: %s', async (status) => {
    statuses = [status];
    load.begin(100, 20);
    await expect(load.refused).rejects.toThrow(`answered ${status}`);
    await expect(load.end()).rejects.toThrow(`answered ${status}`);
  });
});
