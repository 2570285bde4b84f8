// Sends one e-mail by SMTP, to an address of the server that is allowed, limited in time and size. In production the
// connection is encrypted, and the server proves its name.
import { connect, type Socket } from 'node:net';
import nodemailer from 'nodemailer';
import type { EmailTarget } from '../../domain/alert-notices.js';
import {
  allowedAddresses,
  ANSWER_LIMIT_MS,
  type EgressRules,
  failureReason,
  ForbiddenTargetError,
} from '../webhooks/egress.js';

export interface Email {
  /** Unique for what it says: a mailbox shows two copies as one. */
  readonly id: string;
  readonly subject: string;
  readonly text: string;
}

/** What came of it; accepted for at least one recipient, it is sent. `refused`: recipients that the server refused. */
export type EmailAnswer =
  | { readonly kind: 'delivered'; readonly refused: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** How an e-mail is sent; by default as its environment asks for. */
interface EmailSending {
  readonly limitMs?: number;
  /** A server that offers no TLS gets neither the login nor the e-mail. */
  readonly requiresTls?: boolean;
}

/** Never throws for the server's fault. */
export async function sendEmail(
  { from, to, server }: EmailTarget,
  rules: EgressRules,
  { id, subject, text }: Email,
  { limitMs = ANSWER_LIMIT_MS, requiresTls = rules.environment === 'production' }: EmailSending = {},
): Promise<EmailAnswer> {
  const signal = AbortSignal.timeout(limitMs);
  let connection: Socket | undefined;
  const cutOff = () => connection?.destroy();
  signal.addEventListener('abort', cutOff, { once: true });
  try {
    connection = await connected(server, rules, signal);
    const domain = from.slice(from.indexOf('@') + 1);
    const transport = nodemailer.createTransport({
      connection,
      host: server.host,
      port: server.port,
      name: domain,
      secure: server.isTls,
      requireTLS: requiresTls,
      ...(server.login === null ? {} : { auth: { user: server.login.user, pass: server.login.password } }),
      greetingTimeout: ANSWER_LIMIT_MS,
      socketTimeout: ANSWER_LIMIT_MS,
      maxResponseSize: 64 * 1024,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const sent = await transport.sendMail({
      from,
      to: [...to],
      subject,
      text,
      messageId: `<${id}@${domain}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return { kind: 'delivered', refused: sent.rejected.length };
  } catch (error) {
    return { kind: 'failed', reason: signal.aborted ? 'timeout' : failureReason(error) };
  } finally {
    signal.removeEventListener('abort', cutOff);
    connection?.destroy();
  }
}

/** A connection to the address that was checked: a second look-up of the name could give another. */
async function connected(
  { host, port }: EmailTarget['server'],
  rules: EgressRules,
  signal: AbortSignal,
): Promise<Socket> {
  const [address] = await allowedAddresses(host, rules, signal);
  if (address === undefined) throw new ForbiddenTargetError('the host has no address');
  const socket = connect({ host: address, port, signal });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return socket;
}
