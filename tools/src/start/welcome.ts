import type { RunningSystem } from './system';
import type { Demo } from './demo/demo-application';
import { bold, dim } from './progress';

/** The facts that a person needs after the start. */
export interface Welcome {
  gatewayUrl: string;
  simulatorUrl: string;
  adminToken: string;
  demo: Demo;
  logFolder: string;
  mqtt: RunningSystem['mqtt'];
  /** True if the demo application is filled with a history, in the background. */
  isAlive: boolean;
}

/** Prints the addresses, the demo's tokens and three lines to copy and paste. */
export function printWelcome({ gatewayUrl, simulatorUrl, adminToken, demo, logFolder, mqtt, isAlive }: Welcome): void {
  const json = `-H 'content-type: application/json'`;
  const to = (path: string): string => `'${gatewayUrl}/api/push/${path}?access_token=${demo.serverToken}'`;
  console.log(`
${bold('Postrider is running.')}

  REST API       ${gatewayUrl}/api
  API reference  ${gatewayUrl}/docs
  Guide          ${gatewayUrl}/guide
  Devices (MQTT) ${mqtt ? `${mqtt.url}, ${mqtt.webSocketUrl}` : 'none'}
  Panel          ${gatewayUrl}/panel ${dim('(sign in with the admin token)')}
  Queues         ${gatewayUrl}/queues ${dim('(sign in with the admin token)')}
  What arrived   ${simulatorUrl} ${dim('(the vendor simulator’s inbox)')}
  Logs           ${logFolder}

  Admin token           ${adminToken}
  Demo, server token    ${demo.serverToken}
  Demo, client token    ${demo.clientToken}

${bold('Send your own:')}

  ${dim('# to one user, on all their devices')}
  curl -i ${to('toUsers')} ${json} \\
    -d '{"user":"ada","content":"Hi Ada","notification":{"title":"Hello","body":"Tea at four?"}}'

  ${dim('# to everybody with an iPhone or iPad')}
  curl -i ${to('byQuery')} ${json} \\
    -d '{"segment":{"all":[{"name":"deviceType","operator":"equal_to","value":"ios"}]},"trackId":"tea","content":"Tea is ready","useAsAlert":true}'

  ${dim('# what became of it')}
  curl ${to('campaigns').replace('?', '?trackId=tea&')}

${isAlive ? `${dim('The demo application fills with people and four weeks of history now (DEMO_DATA=false starts without).')}\n` : ''}Ctrl-C stops everything.`);
}
