// A command's answer: what it prints, and its exit code.

/** What a command prints: one JSON object. The exit code is 1 when a check found a problem. */
export interface Answer {
  readonly value: object;
  readonly exitCode: 0 | 1;
  /** Text for a terminal, printed instead of the object's blocks and tables. Null: print those. */
  readonly text: string | null;
  /** Also print the text to standard error when the output is not a terminal. */
  readonly isTextBeside: boolean;
}

export function answer(value: object, exitCode: 0 | 1 = 0): Answer {
  return { value, exitCode, text: null, isTextBeside: false };
}

/** An answer with text: on a terminal instead of the object, elsewhere in addition to it, on standard error. */
export function answerWithText(value: object, lines: readonly string[]): Answer {
  return { value, exitCode: 0, text: lines.join('\n'), isTextBeside: true };
}

/** An answer with text that only a terminal shows. */
export function answerOnTerminal(value: object, lines: readonly string[]): Answer {
  return { ...answerWithText(value, lines), isTextBeside: false };
}
