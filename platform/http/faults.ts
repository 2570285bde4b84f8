// The part of an unexpected error that a log may contain: never its message, which can hold request values.

export interface Fault {
  readonly type: string;
  readonly code: string | undefined;
  /** Stack frames only. */
  readonly at: readonly string[];
  readonly cause: Fault | undefined;
}

const FRAME = /^ {4}at .+:\d+:\d+\)?$/;

/** Class, code and stack frames of an error and its causes. */
export function faultOf(error: unknown, depth = 0): Fault {
  if (!(error instanceof Error)) return { type: typeof error, code: undefined, at: [], cause: undefined };
  const { code } = error as { code?: unknown };
  // The stack starts with the message, whose lines could look like frames.
  const { stack = '', message } = error;
  const frames = stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .filter((line) => FRAME.test(line));
  return {
    type: error.constructor.name,
    code: typeof code === 'string' ? code : undefined,
    at: frames.slice(0, 12).map((line) => line.trim()),
    cause: error.cause === undefined || depth >= 3 ? undefined : faultOf(error.cause, depth + 1),
  };
}
