import { EXIT } from '../terminal/failure';
import { CommandWithGateway } from '../testing/command-with-gateway';

describe('postrider promo upload', () => {
  let command: CommandWithGateway;

  beforeEach(async () => {
    command = await CommandWithGateway.start();
    command.answer = (_, response) => {
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"error":{"name":"Error","status":404,"message":"Invalid userPush id"}}');
    };
  });
  afterEach(() => command.stop());

  it('for a campaign that does not exist names it', async () => {
    expect(await command.run('promo', 'upload', __filename, '--track-id', 'spring\u001b[2J')).toBe(EXIT.notFound);
    expect(command.err).toBe(
      'postrider: There is no campaign spring\\x1b[2J (NOT_FOUND)\nThe first message with this track id makes it, and so does POST /api/push/campaigns.\n',
    );
  });

  it('for the application keeps what the service says', async () => {
    expect(await command.run('promo', 'upload', __filename, '--global')).toBe(EXIT.notFound);
    expect(command.err).toContain('Invalid userPush id');
  });
});
