// Places where a fault campaign may stop, delay or kill a process. Off unless GATEWAY_FAILPOINTS_URL names a desk, which production
// refuses; then every process asks that desk at each place and goes on once it answers.

/** On the way of a POST through the api. Those of an activity are `activity.<name>.before` and `activity.<name>.after`. */
export const API_FAILPOINTS = {
  /** Verified; its Idempotency-Key is not claimed yet. */
  claiming: 'api.claiming',
  /** The key is claimed; nothing has been asked of Temporal. */
  claimed: 'api.claimed',
  /** The workflow has answered; the answer is not recorded. */
  recording: 'api.recording',
  /** Recorded, and not sent. */
  replying: 'api.replying',
} as const;

/** What a process tells the desk when it comes to a place. Ids only: no personal data. */
export interface Arrival {
  readonly point: string;
  /** The payment or event that it is about, where that is known. */
  readonly subject: string | null;
  readonly pid: number;
}

let deskUrl: string | undefined;

/** Called once, by main.ts. Undefined leaves every place without effect. */
export function openFailpoints(url: string | undefined): void {
  deskUrl = url;
}

export function areFailpointsOpen(): boolean {
  return deskUrl !== undefined;
}

/** Goes on when the desk says so. A desk that is gone holds nobody up. */
export async function failpoint(point: string, subject: string | null = null): Promise<void> {
  if (deskUrl === undefined) return;
  const arrival: Arrival = { point, subject, pid: process.pid };
  try {
    await fetch(deskUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(arrival),
    });
  } catch {
    // The campaign has ended.
  }
}
