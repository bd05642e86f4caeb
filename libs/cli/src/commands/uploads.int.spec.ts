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
      'postrider: There is no campaign spring\\x1b[2J (NOT_FOUND)\nThe first message with this track id creates it, and so does `postrider api POST /api/push/campaigns`.\n',
    );
  });

  it('for the application keeps what the service says', async () => {
    expect(await command.run('promo', 'upload', __filename, '--global')).toBe(EXIT.notFound);
    expect(command.err).toContain('Invalid userPush id');
  });
});

describe('postrider devices import', () => {
  let command: CommandWithGateway;

  beforeEach(async () => {
    command = await CommandWithGateway.start();
  });
  afterEach(() => command.stop());

  it.each([
    ['pushType', 'is required: the file does not say whose tokens it holds', '--push-type is required'],
    ['format', 'needs a first line with the column token; send header=false if', 'token; send --no-header if'],
    ['format', 'or a mapping is required: the file is in', '--format or --mapping is required: the file is in'],
    ['mapping.userId', 'names the column user', '--mapping.userId names the column user'],
    ['validationRate', 'needs validate=true', '--validation-rate needs --validate'],
    ['', 'is JSON lines; send it with the content type application/x-ndjson', 'send it with --type ndjson'],
    ['name', 'must be text', 'name must be text'],
  ])('says with its own options what the service refuses: %s %s', async (path, message, says) => {
    const error = { code: 'INVALID_REQUEST', message: 'The request is not valid', details: [{ path, message }] };
    command.answer = (request, response) => {
      request.resume().on('end', () => response.writeHead(400).end(JSON.stringify({ error })));
    };
    expect(await command.run('devices', 'import', __filename, '--type', 'csv')).toBe(EXIT.refused);
    expect(command.err).toContain(says);
    expect(command.err).toMatch(/^postrider: The request is not valid \(INVALID_REQUEST\)$/m);
  });
});
