// A refusal as a value, and the error that it becomes.
import { PANEL_ERRORS, type PanelError, type PanelErrorCode } from '../contract/panel/errors.js';
import type { z } from 'zod';
import type { panelError } from '../contract/panel/errors.js';

type Details = Omit<z.input<typeof panelError>, 'code' | 'detail' | 'retryable' | 'trace_id'>;

export interface Refusal {
  readonly refused: PanelErrorCode;
  readonly details: Details;
}

export function refuse(code: PanelErrorCode, details: Details = {}): Refusal {
  return { refused: code, details };
}

export function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'refused' in answer;
}

export interface ErrorAnswer {
  readonly status: number;
  readonly body: PanelError;
}

export function errorOf({ refused, details }: Refusal, traceId: string): ErrorAnswer {
  const { status, retryable, detail } = PANEL_ERRORS[refused];
  return { status, body: { code: refused, detail, retryable, trace_id: traceId, ...details } as PanelError };
}
