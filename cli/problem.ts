// How a command fails: one line for a person and an exit code for a script.

/** 2 if the command was called wrongly; 1 if it was understood, and refused or failed. */
export type FailureCode = 1 | 2;

/** Ends a command. The message is one line that names the option, field or object. It has no personal data. */
export class CommandProblem extends Error {
  override readonly name = 'CommandProblem';

  constructor(
    readonly exitCode: FailureCode,
    message: string,
    /** It can be done in the panel, with a passkey. */
    readonly isForPanel = false,
  ) {
    super(message);
  }
}

/** Compares the name, because a loader that transforms sources can load this module twice. */
export function isCommandProblem(error: unknown): error is CommandProblem {
  return error instanceof Error && error.name === 'CommandProblem';
}

/** The command was called wrongly: `field` is the option, argument or file field to correct. */
export function badInput(field: string, problem: string): CommandProblem {
  return new CommandProblem(2, `${field}: ${problem}`);
}

/** The command was understood and cannot be done now. */
export function refused(message: string): CommandProblem {
  return new CommandProblem(1, message);
}

/** The command was understood, and what it asks for is signed in the panel. */
export function refusedForPanel(message: string): CommandProblem {
  return new CommandProblem(1, message, true);
}
