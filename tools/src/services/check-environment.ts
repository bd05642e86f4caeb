import { readVariable, type VariableName, VARIABLES } from '@postrider/platform';

/**
 * Reads every variable that is set, before anything is started. What is not set has a default, or the start provides it.
 *
 * @throws ConfigError on the first bad one, naming it and what it expects
 */
export function checkEnvironment(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of Object.keys(VARIABLES) as VariableName[]) {
    if (env[name]) readVariable(name, env);
  }
}
