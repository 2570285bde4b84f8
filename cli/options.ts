// Options that several commands share, and the shape of a command's examples.
import { InvalidArgumentError, Option } from 'commander';

/** `--operation ID`, needed by what belongs to one operation. */
export function operationOption(): Option {
  return new Option('--operation <id>', 'the operation (op_…)').makeOptionMandatory();
}

/** `--as NAME`: who asks or decides. */
export function personOption(what: string): Option {
  return new Option('--as <name>', `${what} (default: the operating-system user)`);
}

/** `--limit N` of a listing. */
export function limitOption(byDefault: number, most: number): Option {
  return new Option('--limit <n>', `at most this many, 1 to ${most}`).default(byDefault).argParser((text) => {
    const limit = /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 0;
    if (limit < 1 || limit > most) throw new InvalidArgumentError(`It must be 1 to ${most}.`);
    return limit;
  });
}

/** Examples at the end of a command's help. */
export function examples(...commands: readonly string[]): string {
  return `\n${commands.length === 1 ? 'Example' : 'Examples'}:\n${commands.map((command) => `  $ npm run --silent gateway -- ${command}`).join('\n')}`;
}
