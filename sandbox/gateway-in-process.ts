// Runs the `gateway` command in this process, where no terminal is: its answer is a value.
import type { Client } from '@temporalio/client';
import { runGateway } from '../cli/program.js';
import type { GatewayCommand } from './demo-operation.js';

/** The command with this environment, and this client of Temporal or one of its own. Never throws. */
export function gatewayInProcess(environment: NodeJS.ProcessEnv, temporal?: Client): GatewayCommand {
  return async (args) => {
    const [out, errors]: [string[], string[]] = [[], []];
    const code = await runGateway(args, {
      environment,
      ...(temporal && { temporal }),
      writeOut: (text) => out.push(text),
      writeError: (text) => errors.push(text),
    });
    return { code, stdout: out.join(''), stderr: errors.join('') };
  };
}
