import { Postrider, type PostriderOptions } from '@postrider/server';
import type { Command } from 'commander';
import { type Environment, readEnvironment } from './settings/environment';
import { checkAddress, checkTokens, type Profile, type Profiles, readProfiles } from './settings/profiles';
import { CommandFailure } from './terminal/failure';
import { Output, type Streams } from './terminal/output';

/** The options that every command has. */
export interface GlobalOptions extends Profile {
  profile?: string;
  json?: boolean;
}

/** The services of a command. */
export interface Context {
  output: Output;
  environment: Environment;
  /**
   * Returns the address of the service and the caller's token: options first, then the environment, then the profile.
   */
  access(): Promise<Profile & { url: string }>;
  profiles(): Promise<Profiles>;
  /** The client of an application. @throws CommandFailure if no application is chosen */
  application(): Promise<Postrider>;
  /** The operator's client. @throws CommandFailure without the operator's token */
  operator(): Promise<Postrider>;
  /** Aborted by Ctrl-C or SIGTERM. */
  signal: AbortSignal;
}

/** The parts of a command's context. */
export interface ContextParts {
  streams: Streams;
  /** Aborted with an `Interruption`. */
  signal: AbortSignal;
}

/** The context of a command that runs. */
export function contextOf(command: Command, { streams, signal }: ContextParts): Context {
  const options = command.optsWithGlobals<GlobalOptions>();
  const environment = readEnvironment();
  const profiles = (): Promise<Profiles> => readProfiles(environment.profilesFile);
  const access = async (): Promise<Profile & { url: string }> => choose(options, environment, await profiles());
  const output = new Output(streams, options.json ?? false);
  const onRetry = noteRetries(output);
  return {
    output,
    environment,
    access,
    profiles,
    signal,
    application: async () => applicationOf(await access(), onRetry),
    operator: async () => {
      const { url, adminToken } = await access();
      if (adminToken !== undefined) return new Postrider({ url, adminToken, onRetry });
      throw new CommandFailure('This needs the token of the operator', undefined, HOW('admin-token', 'ADMIN_TOKEN'));
    },
  };
}

const HOW = (option: string, variable: string): string =>
  `Give --${option}, POSTRIDER_${variable}, or a profile (\`postrider profiles set\`).`;

/** What an option says replaces what a variable says, and both replace what the profile says. */
function choose(
  options: GlobalOptions,
  environment: Environment,
  { current, profiles }: Profiles,
): Profile & { url: string } {
  const name = options.profile ?? environment.profile ?? current;
  const profile = name === undefined ? {} : profiles[name];
  if (profile === undefined) throw new CommandFailure(`There is no profile ${name ?? ''}`, undefined, KNOWN(profiles));
  const given = withoutEmpty({ ...pick(environment), ...pick(options) });
  const chosen = { ...profile, ...given };
  if (chosen.url === undefined) throw new CommandFailure('Where is the gateway?', undefined, HOW('url', 'URL'));
  checkAddress(chosen.url);
  checkTokens(chosen);
  return { ...chosen, url: chosen.url };
}

const KNOWN = (profiles: Record<string, Profile>): string => `Profiles: ${Object.keys(profiles).join(', ') || 'none'}.`;

function pick({ url, token, adminToken, app }: Profile): Profile {
  return withoutEmpty({ url, token, adminToken, app });
}

function withoutEmpty(profile: Profile): Profile {
  return Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
}

/** Tells a person why a command seems to stand still. */
function noteRetries(output: Output): PostriderOptions['onRetry'] {
  return ({ message }, waitMs) => output.note(`${message}; the next try is in ${(waitMs / 1_000).toFixed(1)} s`);
}

function applicationOf(
  { url, token, adminToken, app }: Profile & { url: string },
  onRetry: PostriderOptions['onRetry'],
): Postrider {
  const more = { onRetry, ...(app === undefined ? {} : { appId: app }) };
  if (token !== undefined) return new Postrider({ url, token, ...more });
  if (adminToken === undefined) {
    throw new CommandFailure('This needs a token of the application', undefined, HOW('token', 'TOKEN'));
  }
  if (app === undefined) {
    throw new CommandFailure('Which application? The operator acts on one', undefined, HOW('app', 'APP'));
  }
  return new Postrider({ url, adminToken, ...more });
}
