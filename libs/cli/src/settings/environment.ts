import { homedir } from 'node:os';
import { join } from 'node:path';

/** The settings in the environment; the README lists the variables. */
export interface Environment {
  url?: string;
  token?: string;
  adminToken?: string;
  app?: string;
  profile?: string;
  /** The path of the file with the profiles. */
  profilesFile: string;
}

/** The one place that reads the environment. */
export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const folder = env.XDG_CONFIG_HOME || join(homedir(), '.config');
  return {
    ...set('url', env.POSTRIDER_URL),
    ...set('token', env.POSTRIDER_TOKEN),
    ...set('adminToken', env.POSTRIDER_ADMIN_TOKEN),
    ...set('app', env.POSTRIDER_APP),
    ...set('profile', env.POSTRIDER_PROFILE),
    profilesFile: env.POSTRIDER_PROFILES || join(folder, 'postrider', 'profiles.json'),
  };
}

function set(name: string, value: string | undefined): Record<string, string> {
  return value === undefined || value === '' ? {} : { [name]: value };
}
