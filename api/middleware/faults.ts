// What may be said of an unexpected error in a log: never its message, which can hold values of a request.

export interface Fault {
  readonly type: string;
  readonly code: string | undefined;
  /** Stack frames only. */
  readonly at: readonly string[];
  readonly cause: Fault | undefined;
}

/** Class, code and stack frames of an error and its causes. */
export function faultOf(error: unknown, depth = 0): Fault {
  if (!(error instanceof Error)) return { type: typeof error, code: undefined, at: [], cause: undefined };
  const { code } = error as { code?: unknown };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line));
  return {
    type: error.constructor.name,
    code: typeof code === 'string' ? code : undefined,
    at: frames.slice(0, 12).map((line) => line.trim()),
    cause: error.cause === undefined || depth >= 3 ? undefined : faultOf(error.cause, depth + 1),
  };
}
