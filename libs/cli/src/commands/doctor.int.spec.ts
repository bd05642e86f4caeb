import { EXIT } from '../terminal/failure';
import { CommandWithGateway } from '../testing/command-with-gateway';

describe('postrider doctor', () => {
  let command: CommandWithGateway;

  beforeEach(async () => {
    command = await CommandWithGateway.start();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    command.stop();
  });

  it('says how to make a certificate known that no known authority signed', async () => {
    const cause = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    jest.spyOn(globalThis, 'fetch').mockRejectedValue(Object.assign(new TypeError('fetch failed'), { cause }));
    expect(await command.run('doctor')).toBe(EXIT.notInOrder);
    expect(command.out).toMatch(
      /^FAILED {3}gateway: .* does not answer: no known authority signed.*NODE_EXTRA_CA_CERTS/m,
    );
  });
});
