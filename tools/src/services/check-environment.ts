import { readVariable, type VariableName, VARIABLES } from '@postrider/platform';

/**
 * Reads every variable that is set, before anything is started. A variable that is not set has a default, or the start
 * provides it.
 * @throws ConfigError on the first bad one; it names the variable and says what it expects
 */
export function checkEnvironment(env: NodeJS.ProcessEnv = process.env): void {
  for (const name of Object.keys(VARIABLES) as VariableName[]) {
    if (env[name]) readVariable(name, env);
  }
}
