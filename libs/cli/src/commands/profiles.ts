import type { Command } from 'commander';
import type { GlobalOptions } from '../context';
import type { Runner } from '../runner';
import { checkAddress, checkProfileName, checkTokens, changeProfiles, type Profile } from '../settings/profiles';
import { CommandFailure } from '../terminal/failure';

/** `postrider profiles`: addresses and tokens under a name. */
export function addProfiles(program: Command, run: Runner): void {
  const profiles = program.command('profiles').description('Store addresses and tokens under a name');
  profiles
    .command('set <name>')
    .description(
      'Store the --url, --token, --admin-token and --app of this command under a name, and use it from now on',
    )
    .action(
      run(async (context, _options, name: string, command: Command) => {
        const { url, token, adminToken, app } = command.optsWithGlobals<GlobalOptions>();
        const given = Object.entries({ url, token, adminToken, app }).filter(([, value]) => value !== undefined);
        if (given.length === 0) throw new CommandFailure('Give --url, --token, --admin-token or --app');
        if (url !== undefined) checkAddress(url);
        checkTokens({ ...(token !== undefined && { token }), ...(adminToken !== undefined && { adminToken }) });
        checkProfileName(name);
        const { profilesFile } = context.environment;
        await changeProfiles(profilesFile, ({ profiles: kept }) => {
          const profile: Profile = { ...kept[name], ...(Object.fromEntries(given) as Profile) };
          return { current: name, profiles: { ...kept, [name]: profile } };
        });
        context.output.result({ name, file: profilesFile }, `Profile ${name} is stored in ${profilesFile}`);
      }),
    );
  profiles
    .command('list')
    .description('List the profiles, with the beginnings of their tokens')
    .action(
      run(async (context) => {
        const { current, profiles: kept } = await context.profiles();
        const shown = Object.entries(kept).map(([name, { url, app, token, adminToken }]) => ({
          name,
          isCurrent: name === current,
          url: url ?? null,
          app: app ?? null,
          token: masked(token),
          adminToken: masked(adminToken),
        }));
        const rows = shown.map((profile) => [
          `${profile.isCurrent ? '* ' : '  '}${profile.name}`,
          ...[profile.url, profile.app, profile.token, profile.adminToken],
        ]);
        context.output.table(shown, ['  PROFILE', 'URL', 'APPLICATION', 'TOKEN', 'ADMIN TOKEN'], rows);
      }),
    );
  addChoosing(profiles, run);
}

function addChoosing(profiles: Command, run: Runner): void {
  profiles
    .command('use <name>')
    .description('Use a profile from now on')
    .action(
      run(async (context, _options, name: string) => {
        await changeProfiles(context.environment.profilesFile, (file) => {
          if (file.profiles[name] === undefined) throw new CommandFailure(`There is no profile ${name}`);
          return { ...file, current: name };
        });
        context.output.result({ name }, `Profile ${name} is used`);
      }),
    );
  profiles
    .command('remove <name>')
    .description('Remove a profile')
    .action(
      run(async (context, _options, name: string) => {
        await changeProfiles(context.environment.profilesFile, ({ current, profiles: kept }) => {
          const { [name]: removed, ...others } = kept;
          if (removed === undefined) throw new CommandFailure(`There is no profile ${name}`);
          const next = current === undefined || current === name ? {} : { current };
          return { ...next, profiles: others };
        });
        context.output.result({ name }, `Profile ${name} is removed`);
      }),
    );
}

/** Enough of a token to tell it from another. */
function masked(token: string | undefined): string | null {
  return token === undefined ? null : `${token.slice(0, 5)}…`;
}
