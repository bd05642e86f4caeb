import type { Schemas } from '@postrider/server';
import { Argument, type Command, Option } from 'commander';
import type { Context } from '../context';
import type { Runner } from '../runner';
import { CommandFailure, EXIT } from '../terminal/failure';
import { addArchives } from './archives';
import { collect, readCount } from './message-options';

type Vendor = Schemas.VendorResponse['vendor'];
const SCOPES: readonly Schemas.NewTokenRequest['scopes'][number][] = [
  'send',
  'tags',
  'promo',
  'devices',
  'read',
  'server',
];
const VENDORS = ['fcm', 'apns', 'hms', 'webpush', 'sms'] as const satisfies readonly Vendor[];

/** `postrider apps`, `tokens` and `vendors`: the operator's commands. */
export function addAdministration(program: Command, run: Runner): void {
  const apps = program.command('apps').description('Applications (operator)');
  addApps(apps, run);
  addArchives(apps, run);
  addTokens(program.command('tokens').description('Access tokens of an application (operator)'), run);
  addVendors(program.command('vendors').description("An application's credentials at vendors (operator)"), run);
}

function addApps(apps: Command, run: Runner): void {
  apps
    .command('list')
    .description('List all applications')
    .action(
      run(async (context) => {
        const found = await (await context.operator()).listApplications({ signal: context.signal });
        context.output.table(
          found,
          ['APPLICATION', 'NAME', 'CREATED'],
          found.map(({ id, name, createdAt, removalBeganAt }) => [
            id,
            removalBeganAt ? `${name} (is being deleted)` : name,
            createdAt,
          ]),
        );
      }),
    );
  apps
    .command('create <id>')
    .description('Create an application. Its tokens are shown once')
    .option('--name <name>', 'its name; the id if it is left out')
    .action(
      run(async (context, { name }: { name?: string }, id: string) => {
        const made = await (
          await context.operator()
        ).createApplication({ id, name: name ?? id }, { signal: context.signal });
        const { tokens, identityKey } = made;
        context.output.result(made, [
          `server token  ${tokens.server}`,
          `client token  ${tokens.client}`,
          `identity key  ${identityKey}`,
          'They are shown once.',
        ]);
      }),
    );
  apps
    .command('show <id>')
    .description('Show the settings of an application')
    .action(
      run(async (context, _options, id: string) => {
        const found = await (await context.operator()).getApplication(id, { signal: context.signal });
        context.output.table(found, ['SETTING', 'VALUE'], Object.entries(found));
      }),
    );
  addKeyRotation(apps, run);
  addDeletion(apps, run);
}

function addKeyRotation(apps: Command, run: Runner): void {
  apps
    .command('rotate-identity-key <id>')
    .description('Replace the identity key of an application. The new key is shown once')
    .option(
      '--former-valid <seconds>',
      'how long the former key stays valid beside it: 0 to 2592000; a day if it is left out',
      readCount,
    )
    .action(
      run(async (context, { formerValid }: { formerValid?: number }, id: string) => {
        const postrider = await context.operator();
        const body = formerValid === undefined ? {} : { formerValidSeconds: formerValid };
        const rotated = await postrider.rotateIdentityKey(id, body, { signal: context.signal });
        const { identityKey, formerValidUntil } = rotated;
        context.output.result(rotated, [
          `identity key  ${identityKey}`,
          'It is shown once. Give it to your backend.',
          formerValidUntil === null
            ? 'The former key is no longer valid.'
            : `The former key is valid until ${formerValidUntil}.`,
        ]);
      }),
    );
}

function addDeletion(apps: Command, run: Runner): void {
  apps
    .command('delete <id>')
    .description('Delete an application with everything in it')
    .requiredOption('--yes', 'required: confirms that everything in it is deleted')
    .action(
      run(async (context, _options, id: string) => {
        context.output.note(
          `Deleting ${id}. It goes on if this command ends before: \`postrider apps list\` shows it.`,
        );
        // A million devices take minutes.
        const options = { signal: context.signal, timeoutMs: Infinity };
        const removed = await (await context.operator()).deleteApplication(id, options);
        context.output.result(removed, `Application ${id} is deleted`);
      }),
    );
}

function addTokens(tokens: Command, run: Runner): void {
  tokens
    .command('list')
    .description('List the tokens, without their text')
    .action(
      run(async (context) => {
        const found = await (await context.operator()).listTokens(await appOf(context), { signal: context.signal });
        const rows = found.map(({ id, name, scopes, createdAt }) => [id, name, scopes.join(','), createdAt]);
        context.output.table(found, ['TOKEN', 'NAME', 'SCOPES', 'CREATED'], rows);
      }),
    );
  tokens
    .command('create <name>')
    .description('Create a token. It is shown once')
    .addOption(
      new Option(
        '--scope <scope>',
        'required: what the token may do, server is all of it, for a backend; separate several with commas',
      )
        .choices(SCOPES)
        // The service judges the scopes. Those above are for the help and for shells.
        .argParser(collect)
        .makeOptionMandatory(),
    )
    .action(
      run(async (context, { scope }: { scope: string[] }, name: string) => {
        const body = { name, scopes: scope } as unknown as Schemas.NewTokenRequest;
        const made = await (
          await context.operator()
        ).createToken(await appOf(context), body, { signal: context.signal });
        context.output.result(made, [made.token, `It is shown once. Its id is ${made.id}`]);
      }),
    );
  tokens
    .command('revoke <id>')
    .description('Revoke a token')
    .action(
      run(async (context, _options, id: string) => {
        const removed = await (
          await context.operator()
        ).revokeToken(await appOf(context), id, { signal: context.signal });
        context.output.result(removed, `Token ${id} is revoked`);
      }),
    );
}

function addVendors(vendors: Command, run: Runner): void {
  vendors
    .command('list')
    .description('List the vendors with credentials')
    .action(
      run(async (context) => {
        const found = await (await context.operator()).listVendors(await appOf(context), { signal: context.signal });
        context.output.table(
          found,
          ['VENDOR', 'UPDATED'],
          found.map(({ vendor, updatedAt }) => [vendor, updatedAt]),
        );
      }),
    );
  vendors
    .command('check')
    .description('Check if the credentials of a vendor, or of all vendors, work')
    .addArgument(new Argument('[vendor]').choices(VENDORS))
    .action(
      run(async (context, _options, vendor?: Vendor) => {
        const appId = await appOf(context);
        const checked = await checkVendors(context, appId, vendor);
        const rows = checked.map(({ vendor: name, ok, code, reason }) => [
          name,
          ok ? 'works' : (code ?? 'failed'),
          reason,
        ]);
        context.output.table(checked, ['VENDOR', 'CREDENTIALS', 'REASON'], rows);
        if (checked.some(({ ok }) => !ok)) throw new CommandFailure('Not all credentials work', EXIT.notInOrder);
      }),
    );
}

/** A vendor and whether its credentials work. */
export type CheckedVendor = Schemas.VendorCheckResponse & { vendor: Vendor };

/** Checks the credentials of one vendor, or of all that an application has. */
export async function checkVendors(
  { operator, signal }: Context,
  appId: string,
  vendor?: Vendor,
): Promise<CheckedVendor[]> {
  const postrider = await operator();
  const names =
    vendor === undefined ? (await postrider.listVendors(appId, { signal })).map((found) => found.vendor) : [vendor];
  return Promise.all(
    names.map(async (name) => ({
      vendor: name,
      ...(await postrider.checkVendorCredentials(appId, name, { signal })),
    })),
  );
}

/** The application that a command of the operator is about. @throws CommandFailure if none is chosen */
async function appOf(context: Context): Promise<string> {
  const { app } = await context.access();
  if (app !== undefined) return app;
  throw new CommandFailure('Which application?', undefined, 'Give --app, POSTRIDER_APP, or a profile with one.');
}
