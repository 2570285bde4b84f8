// Options that several commands share, and the examples at the end of a command's help.
import { InvalidArgumentError, Option } from 'commander';

/** `--operation <id>`, required. */
export function operationOption(): Option {
  return new Option('--operation <id>', 'the operation (op_…)').makeOptionMandatory();
}

/** `--operation <id>` as a filter. */
export function operationFilterOption(): Option {
  return new Option('--operation <id>', 'only this operation (op_…)');
}

/** `--as <name>`: the person who acts. `what` completes "who …". */
export function personOption(what: string): Option {
  return new Option('--as <name>', `${what} (default: the operating-system user)`);
}

/** `--reason <text>`, stored with the decision. */
export function reasonOption(): Option {
  return new Option('--reason <text>', 'why; kept with the decision, so no names, documents or addresses');
}

/** Reads an option's number. Commander turns the error into one line that names the option. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,6}$/.test(text) ? Number(text) : -1;
    if (number < least || number > most) throw new InvalidArgumentError(`It must be ${least} to ${most}.`);
    return number;
  };
}

/** `--limit <n>` of a list. */
export function limitOption(byDefault: number, most: number): Option {
  return new Option('--limit <n>', `list at most this many, 1 to ${most}`)
    .default(byDefault)
    .argParser(wholeNumber(1, most));
}

/** Examples at the end of a command's help. */
export function examples(...commands: readonly string[]): string {
  const title = commands.length === 1 ? 'Example' : 'Examples';
  return `\n${title}:\n${commands.map((command) => `  $ npm run --silent gateway -- ${command}`).join('\n')}`;
}
