// What every command of the tool works with.
import type { GatewayClient } from '../client.js';

export interface ToolContext {
  readonly gateway: GatewayClient;
  /** Prints a value: as JSON, or the line for people. */
  readonly print: (value: object, line: string) => void;
  /** Aborts when the person ends the tool. */
  readonly signal: AbortSignal;
}
