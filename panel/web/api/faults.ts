// What can go wrong with a request, as values: the panel refused it, or the outcome is unknown.
import type { PanelError, PanelErrorCode } from '../../../contract/panel/errors.js';

export type Fault =
  | { readonly kind: 'refused'; readonly error: PanelError }
  /** No answer came, or none that is the panel's own: an act may still be done. */
  | { readonly kind: 'unanswered'; readonly traceId: string | null };

/** How queries carry a fault. */
export class PanelFault extends Error {
  override readonly name = 'PanelFault';
  constructor(readonly fault: Fault) {
    super(fault.kind === 'refused' ? fault.error.code : fault.kind);
  }
}

/** The page refused the request itself: nothing was sent. */
export function refusedHere(code: PanelErrorCode): PanelFault {
  return new PanelFault({ kind: 'refused', error: { code, detail: '', retryable: false, trace_id: '' } });
}

export function faultOf(error: unknown): Fault {
  return error instanceof PanelFault ? error.fault : { kind: 'unanswered', traceId: null };
}

export function codeOf(error: unknown): PanelErrorCode | null {
  if (error === null) return null;
  const fault = faultOf(error);
  return fault.kind === 'refused' ? fault.error.code : null;
}

/** `null` if the request did not arrive, or was not sent. */
export function traceIdOf(fault: Fault): string | null {
  return fault.kind === 'refused' ? fault.error.trace_id || null : fault.traceId;
}

/** The codes after which an act may have been done all the same. */
const IN_DOUBT: readonly PanelErrorCode[] = ['outcome_unknown', 'unavailable', 'internal'];

export function isInDoubt(fault: Fault): boolean {
  return fault.kind === 'unanswered' || IN_DOUBT.includes(fault.error.code);
}

/** Whether a retry may help; for reads only. */
export function isPassing(error: unknown): boolean {
  const fault = faultOf(error);
  return fault.kind === 'unanswered' || (fault.error.retryable && fault.error.code !== 'rate_limited');
}
