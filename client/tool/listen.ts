// Receives webhooks by asking for them, and posts them to a URL of this machine with their signatures.
import type { SignedWebhook } from '../types.js';
import type { ToolContext } from './context.js';

/** As long as the gateway itself waits for an operator. */
const ANSWER_TIMEOUT_MS = 10_000;
const WAIT_SECONDS = 10;

/** Until the person ends it: each event once, in order, from now on. */
export async function listen({ gateway, print, signal }: ToolContext, forwardTo: URL): Promise<void> {
  let { next_after: after } = (await gateway.sandbox.receiveWebhooks()).body;
  print({ listening: forwardTo.href }, `listening; webhooks go to ${forwardTo.href}`);
  const ended = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
  while (!signal.aborted) {
    const order = { wait_seconds: WAIT_SECONDS, ...(after === null ? {} : { after }) };
    const received = await Promise.race([gateway.sandbox.receiveWebhooks(order), ended]);
    if (received === null) return;
    for (const webhook of received.body.data) await forward({ print }, webhook, forwardTo);
    after = received.body.next_after;
  }
}

/** Posts one webhook, and prints what became of it. Answers whether it was accepted. */
export async function forward(
  { print }: Pick<ToolContext, 'print'>,
  { event_id: id, type, headers, body }: SignedWebhook,
  url: URL,
): Promise<boolean> {
  const result = await post(url, headers, body);
  const isAccepted = typeof result === 'number' && result >= 200 && result <= 299;
  print({ event_id: id, type, result }, `${isAccepted ? '✓' : '✗'} ${type.padEnd(24)} ${id}  ${result}`);
  return isAccepted;
}

async function post(url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<number | string> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
      body: Buffer.from(body, 'utf8'),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    const { cause, message } = error as Error;
    return cause instanceof Error && cause.message !== '' ? cause.message : message;
  }
}
