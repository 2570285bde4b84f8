// Runs the `gateway` command in this process, where no terminal is: its answer is a value.
import { runGateway } from '../cli/program.js';
import type { Terminal } from '../cli/terminal.js';
import type { GatewayCommand } from './demo-operation.js';

/** The command with this environment, and these connections or some of its own. Never throws. */
export function gatewayInProcess(
  environment: NodeJS.ProcessEnv,
  open?: Pick<Terminal, 'database' | 'temporal'>,
): GatewayCommand {
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
