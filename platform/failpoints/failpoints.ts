// Places where a fault campaign may stop, delay or kill a process. Off unless GATEWAY_FAILPOINTS_URL names a failpoint
// server: then a process calls that server at each place and continues when it answers. Production refuses the
// variable.

/**
 * In the order in which a POST passes them in the api. Those of an activity are `activity.<name>.before` and
 * `activity.<name>.after`.
 */
export const API_FAILPOINTS = {
  /** Authenticated; the Idempotency-Key is not claimed yet. */
  claiming: 'api.claiming',
  /** The key is claimed; Temporal has not been called. */
  claimed: 'api.claimed',
  /** The workflow has answered; the answer is not recorded. */
  recording: 'api.recording',
  /** The answer is recorded and not sent. */
  replying: 'api.replying',
} as const;

/** Around a first attempt to deliver an event from memory; the subject is the payment. */
export const DELIVERY_FAILPOINTS = {
  before: 'webhook.first_attempt.before',
  after: 'webhook.first_attempt.after',
} as const;

/** What a process sends to the failpoint server. Ids only: no personal data. */
export interface Arrival {
  readonly point: string;
  /** The payment's or event's id, where known. */
  readonly subject: string | null;
  readonly pid: number;
}

let serverUrl: string | undefined;

/** Called once, by main.ts. Undefined turns every failpoint off. */
export function openFailpoints(url: string | undefined): void {
  serverUrl = url;
}

export function areFailpointsOpen(): boolean {
  return serverUrl !== undefined;
}

/** Waits for the failpoint server's answer. Continues at once when the server is unreachable. */
export async function failpoint(point: string, subject: string | null = null): Promise<void> {
  if (serverUrl === undefined) return;
  const arrival: Arrival = { point, subject, pid: process.pid };
  try {
    await fetch(serverUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(arrival),
    });
  } catch {
    // The campaign has ended.
  }
}
