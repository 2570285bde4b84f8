// The demo operation of the stacks that this project starts: var/sandbox.json.
import {
  DemoOperationError,
  ensureDemoOperation,
  type GatewayCommand,
  type Sandbox,
  type SandboxPlaces,
} from '../../sandbox/demo-operation.js';
import { Failure } from '../bootstrap/failure.mjs';
import { say, step } from '../bootstrap/progress.mjs';

export type { Sandbox, SandboxPlaces } from '../../sandbox/demo-operation.js';

/** Keeps or makes the demo operation and writes the file. Throws a {@link Failure}. */
export async function ensureSandbox(
  places: SandboxPlaces,
  databaseUrl: string,
  gateway: GatewayCommand,
): Promise<Sandbox> {
  try {
    return await step('the demo operation', () =>
      ensureDemoOperation(places, databaseUrl, gateway, (line) => say(`  ! ${line}`)),
    );
  } catch (error) {
    throw error instanceof DemoOperationError ? new Failure(error.message) : error;
  }
}

type PanelPlaces = Pick<Sandbox, 'panel_url'> & Partial<Pick<Sandbox, 'panel_accounts'>>;

/** The panel's address, and a sign-in link for each demo account. */
export function panelPlaces({ panel_url, panel_accounts = [] }: PanelPlaces): [string, string][] {
  return [
    ['Panel', panel_url],
    ...panel_accounts.map(({ handle, roles, link }): [string, string] => [
      '',
      `${link}  (once; ${handle}: ${roles.join(', ')})`,
    ]),
  ];
}
