// Runs the `gateway` command in this process, where no terminal is: its answer is a value.
import type { Client } from '@temporalio/client';
import { runGateway } from '../cli/program.js';
import type { Database } from '../store/database.js';
import type { GatewayCommand } from './demo-operation.js';

/** Connections that are open already. */
export interface OpenConnections {
  readonly database: Database;
  readonly temporal: Client;
}

/** The command with this environment, and these connections or some of its own. Never throws. */
export function gatewayInProcess(environment: NodeJS.ProcessEnv, open?: OpenConnections): GatewayCommand {
  return async (args) => {
    const [out, errors]: [string[], string[]] = [[], []];
    const code = await runGateway(args, {
      environment,
      ...open,
      writeOut: (text) => out.push(text),
      writeError: (text) => errors.push(text),
    });
    return { code, stdout: out.join(''), stderr: errors.join('') };
  };
}
