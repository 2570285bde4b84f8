// What the test runner and its worker processes send each other.

/** To a worker: run this compiled spec file. */
export interface RunFile {
  readonly file: string;
  readonly mochaArguments: readonly string[];
}

/** From a worker: the file has ended. */
export interface FileReport {
  /** In the order they ended; hooks appear only when they fail. */
  readonly tests: readonly TestResult[];
  /** Processor time that the file used, with the processes that it started and ended; on Linux. */
  readonly processorMs?: number;
}

export interface TestResult {
  readonly title: string;
  readonly ms: number;
  /** Set when it failed. */
  readonly error?: string;
  readonly isSkipped?: boolean;
}
