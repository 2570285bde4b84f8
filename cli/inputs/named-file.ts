// Arguments and options that name a file which the command reads. A staff command of production sends these files to
// the server with what was typed.
import { Argument, type Command, Option } from 'commander';

/** A file as an argument: `<file>`. */
export class FileArgument extends Argument {
  constructor(
    name: string,
    description: string,
    readonly mostBytes: number,
  ) {
    super(name, description);
  }
}

/** A file as an option: `--csv <file>`. */
export class FileOption extends Option {
  constructor(
    flags: string,
    description: string,
    readonly mostBytes: number,
  ) {
    super(flags, description);
  }
}

export interface NamedFile {
  readonly field: string;
  readonly path: string;
  readonly mostBytes: number;
}

/** The files that a command was called with. */
export function namedFiles(command: Command): readonly NamedFile[] {
  const values: readonly unknown[] = command.processedArgs;
  const found = [
    ...command.registeredArguments.map((one, index) => [one, one.name().toUpperCase(), values[index]] as const),
    ...command.options.map((one) => [one, one.long ?? one.flags, command.getOptionValue(one.attributeName())] as const),
  ];
  return found.flatMap(([one, field, path]) =>
    (one instanceof FileArgument || one instanceof FileOption) && typeof path === 'string'
      ? [{ field, path, mostBytes: one.mostBytes }]
      : [],
  );
}
