// Banks call an address when it is registered, to see who answers there.
import { Agent, fetch } from 'undici';

const TRIAL_MS = 3_000;

/** What a bank shows as a client. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
  /** Who signs the certificates of those that it calls. */
  readonly ca: string;
}

/** The status of a POST, or `null` without an answer, or if a certificate is demanded. */
export async function tryAddress(
  url: string,
  body: object,
  certificate: Partial<ClientCertificate> = {},
): Promise<number | null> {
  const dispatcher = new Agent({ connect: certificate });
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TRIAL_MS),
      dispatcher,
    });
    return answer.status;
  } catch {
    return null;
  } finally {
    await dispatcher.destroy();
  }
}
