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

/** Reads an option's number; commander turns the error into one line that names the option. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,6}$/.test(text) ? Number(text) : -1;
    if (number < least || number > most) throw new InvalidArgumentError(`It must be ${least} to ${most}.`);
    return number;
  };
}

/** `--limit N` of a listing. */
export function limitOption(byDefault: number, most: number): Option {
  return new Option('--limit <n>', `at most this many, 1 to ${most}`)
    .default(byDefault)
    .argParser(wholeNumber(1, most));
}

/** Examples at the end of a command's help. */
export function examples(...commands: readonly string[]): string {
  return `\n${commands.length === 1 ? 'Example' : 'Examples'}:\n${commands.map((command) => `  $ npm run --silent gateway -- ${command}`).join('\n')}`;
}
