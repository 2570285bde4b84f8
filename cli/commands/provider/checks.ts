// The checks of an account, step by step, each with a plain text about the fault and its remedy.
import { X509Certificate } from 'node:crypto';
import { Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { newId, chargeReferenceOf } from '../../../domain/identifiers.js';
import { formatBrl } from '../../../domain/money.js';
import { type RegisteredWebhook, type SignIn, withoutQuery } from '../../../providers/dialect-entry.js';
import type { AccountList } from '../../../providers/port.js';
import type { TlsSettings } from '../../../providers/settings.js';
import type { Slot } from './slot.js';

export interface Check {
  readonly check: string;
  /** `unclear`: a person must check it. `not_reported`: the dialect does not report it. */
  readonly result: 'ok' | 'wrong' | 'unclear' | 'not_reported';
  readonly found: string;
  /** What to do; `null` if nothing is needed. */
  readonly advice: string | null;
}

export interface CheckOptions {
  /** What should be registered; `null` to show what is. */
  readonly webhooks: readonly RegisteredWebhook[] | null;
  /** Create a charge that is never paid. */
  readonly withCharge: boolean;
  readonly nowMs: number;
}

const MOST_SKEW_SECONDS = 30;
const RENEW_WITHIN_DAYS = 30;
const TEST_AMOUNT_MINOR = 100n;
const TEST_EXPIRY_SECONDS = 300;
/** A CPF that every manual shows. */
const NOBODY = { type: 'CPF', number: '12345678909', country: 'BR' } as const;

type Result = Omit<Check, 'check'>;
const ok = (found: string): Result => ({ result: 'ok', found, advice: null });
const wrong = (found: string, advice: string): Result => ({ result: 'wrong', found, advice });
const unclear = (found: string, advice: string): Result => ({ result: 'unclear', found, advice });
const notReported = (found: string): Result => ({ result: 'not_reported', found, advice: null });

/** In their order. Without credentials that work nothing more is asked. */
export async function* checksOf(slot: Slot, options: CheckOptions): AsyncGenerator<Check> {
  yield { check: 'environment', ...environmentOf(slot) };
  yield { check: 'certificate', ...certificateOf(slot, options.nowMs) };
  const signIn = await slot.account.signIn();
  yield { check: 'credentials', ...credentialsOf(signIn) };
  if (signIn.kind !== 'signed_in') return;
  yield { check: 'scopes', ...scopesOf(slot, signIn.scopes) };
  yield { check: 'clock', ...clockOf(signIn.at, options.nowMs) };
  yield { check: 'webhook', ...(await webhookOf(slot, options.webhooks)) };
  yield { check: 'received list', ...(await receivedOf(slot, options.nowMs)) };
  yield { check: 'sent list', ...(await sentOf(slot, options.nowMs)) };
  yield { check: 'disputed payments', ...(await disputesOf(slot, options.nowMs)) };
  yield { check: 'balance', ...(await balanceOf(slot)) };
  yield { check: 'payouts', ...payoutsOf(slot) };
  if (options.withCharge) yield { check: 'charge', ...(await chargeOf(slot)) };
}

function environmentOf({ environment, settings, dialect }: Slot): Result {
  const { hostname } = new URL(settings.url);
  if (dialect.hosts.real.includes(hostname) && environment === 'production') return ok(`${hostname}: real money`);
  if (dialect.hosts.test.includes(hostname) && environment === 'sandbox') return ok(`${hostname}: no real money`);
  return unclear(
    `${hostname} is none of the addresses that ${settings.dialect} is known to have`,
    'Compare it with the provider’s documentation; --charge shows where its codes are paid.',
  );
}

function certificateOf({ settings: { tls } }: Slot, nowMs: number): Result {
  const certificate = shownCertificate(tls);
  if (certificate === null) return notReported('none is shown to the provider');
  if (certificate === 'unreadable')
    return wrong('cannot be opened', 'Check the PKCS#12 file and its password; OpenSSL 3 refuses old encryptions.');
  const { validTo, subject } = certificate;
  const name = subject.split('\n').join(', ');
  const days = Math.floor((Date.parse(validTo) - nowMs) / 86_400_000);
  if (days < 0) return wrong(`${name}: ended ${-days} days ago`, 'Get a new one from the provider.');
  if (days < RENEW_WITHIN_DAYS) return unclear(`${name}: ends in ${days} days`, 'Renew it now.');
  return ok(`${name}: good for ${days} days`);
}

function shownCertificate(tls: TlsSettings | undefined): X509Certificate | 'unreadable' | null {
  if (tls?.cert !== undefined) return new X509Certificate(tls.cert);
  if (tls?.pfx === undefined) return null;
  try {
    const { pfx, passphrase } = tls;
    // Node.js reads PKCS#12 for connections only. This one connects nowhere.
    const socket = new TLSSocket(new Socket(), {
      isServer: true,
      secureContext: createSecureContext({ pfx, passphrase }),
    });
    const certificate = socket.getX509Certificate();
    socket.destroy();
    return certificate ?? 'unreadable';
  } catch {
    return 'unreadable';
  }
}

function credentialsOf(signIn: SignIn): Result {
  switch (signIn.kind) {
    case 'signed_in':
      return ok('taken');
    case 'refused':
      return wrong(
        `refused (${signIn.reason})`,
        'Compare CLIENT_ID and CLIENT_SECRET with the provider’s panel, and the certificate with the application.',
      );
    case 'unreached':
      return wrong(`not reached (${signIn.reason})`, UNREACHED[signIn.reason] ?? 'Check URL, network and firewall.');
  }
}

const UNREACHED: Readonly<Record<string, string>> = {
  tls_error:
    'The certificate is not trusted: set TLS_CA_FILE, or ours is not taken: set TLS_CERT_FILE and TLS_KEY_FILE.',
  name_not_resolved: 'Check the host in URL, and DNS.',
  connection_reset: 'Providers cut connections that show no client certificate: set TLS_CERT_FILE and TLS_KEY_FILE.',
};

function scopesOf({ account: { neededScopes } }: Slot, granted: readonly string[] | null): Result {
  if (neededScopes.length === 0 || granted === null) return notReported('the provider does not say what is granted');
  const missing = neededScopes.filter((scope) => !granted.includes(scope));
  if (missing.length === 0) return ok('all that is needed');
  return wrong(`missing: ${missing.join(' ')}`, 'Have them added to the application in the provider’s panel.');
}

function clockOf(at: string | null, nowMs: number): Result {
  if (at === null) return notReported('the provider does not say its time');
  const seconds = Math.round((nowMs - Date.parse(at)) / 1_000);
  const found = `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the provider’s`;
  return Math.abs(seconds) <= MOST_SKEW_SECONDS ? ok(found) : wrong(found, 'Set this machine’s clock by NTP.');
}

async function webhookOf({ account, name }: Slot, expected: readonly RegisteredWebhook[] | null): Promise<Result> {
  const answer = await account.readWebhooks();
  if (answer.kind === 'unsupported') return notReported('callbacks are not registered by a call here');
  if (answer.kind === 'unknown') return unclear(`not reported (${answer.reason})`, 'Check the scope of webhooks.');
  const { webhooks } = answer;
  const shown = [...new Set(webhooks.map(({ url }) => withoutQuery(url)))].join(', ');
  const register = `Run "gateway provider register-webhook ${name} --edge https://…".`;
  if (webhooks.length === 0) return wrong('none is registered', register);
  if (expected === null) return unclear(`registered: ${shown}`, 'Give --edge to have it compared.');
  const missing = expected.filter((one) => !webhooks.some(({ event, url }) => event === one.event && url === one.url));
  if (missing.length === 0) return ok(`registered: ${shown}`);
  const events = missing.flatMap(({ event }) => event ?? []);
  return wrong(
    `another is registered: ${shown}${events.length === 0 ? '' : `; missing: ${events.join(' ')}`}`,
    register,
  );
}

async function receivedOf({ provider }: Slot, nowMs: number): Promise<Result> {
  const [from, to] = [nowMs - 3_600_000, nowMs].map((ms) => new Date(ms).toISOString());
  return listOf(await provider.listReceived({ part: 'payments', from: from!, to: to!, cursor: null }), {
    found: 'in the last hour',
    withoutIt: 'a lost callback costs until expiry',
    unanswered: 'Try again.',
  });
}

async function sentOf({ provider }: Slot, nowMs: number): Promise<Result> {
  if (!provider.lists.includes('payouts')) return notReported('this dialect lists none');
  const [from, to] = [nowMs - 3_600_000, nowMs].map((ms) => new Date(ms).toISOString());
  return listOf(await provider.listPayouts({ part: 'payouts', from: from!, to: to!, cursor: null }), {
    found: 'in the last hour',
    withoutIt: 'what leaves the account outside the gateway passes unseen',
    unanswered: 'Try again.',
  });
}

async function disputesOf({ provider }: Slot, nowMs: number): Promise<Result> {
  if (!provider.lists.includes('disputes')) return notReported('this dialect lists none');
  const [from, to] = [nowMs - 86_400_000, nowMs].map((ms) => new Date(ms).toISOString());
  return listOf(await provider.listDisputes({ from: from!, to: to!, cursor: null }), {
    found: 'opened in the last day',
    withoutIt: 'a deadline passes unseen',
    unanswered: 'Try again. Efí’s homologation has no such list.',
  });
}

interface ListTexts {
  readonly found: string;
  readonly withoutIt: string;
  readonly unanswered: string;
}

function listOf(list: AccountList<unknown>, texts: ListTexts): Result {
  switch (list.kind) {
    case 'page':
      return ok(`${list.items.length} ${texts.found}`);
    case 'refused':
      return wrong(`refused (${list.reason})`, `Have listing granted: without it ${texts.withoutIt}.`);
    case 'unknown':
      return unclear(`not answered (${list.reason})`, texts.unanswered);
  }
}

async function balanceOf({ provider }: Slot): Promise<Result> {
  const answer = await provider.readBalance();
  if (answer.kind === 'unsupported') return notReported('this dialect reports none');
  if (answer.kind === 'balance') {
    const { availableMinor, blockedMinor } = answer;
    return blockedMinor === null || blockedMinor === 0n
      ? ok(formatBrl(availableMinor))
      : unclear(`${formatBrl(availableMinor)}, and ${formatBrl(blockedMinor)} blocked`, 'Ask the provider why.');
  }
  return unclear(
    `not reported (${answer.reason})`,
    'Check the scope of the balance; payouts are then sent without asking.',
  );
}

function payoutsOf({ dialect: { capabilities } }: Slot): Result {
  return capabilities.sendsPayouts ? ok('sent by this dialect') : notReported('this dialect receives only');
}

async function chargeOf({ provider, environment }: Slot): Promise<Result> {
  const outcome = await provider.createCharge({
    reference: chargeReferenceOf(newId('deposit')),
    amountMinor: TEST_AMOUNT_MINOR,
    expiresInSeconds: TEST_EXPIRY_SECONDS,
    payer: { document: NOBODY, name: 'Verificacao do Gateway', email: 'verificacao@example.com' },
    description: 'Verificacao',
  });
  if (outcome.kind !== 'created')
    return wrong(
      outcome.kind === 'refused' ? `refused (${outcome.code})` : `no usable answer (${outcome.reason})`,
      'Check that PIX_KEY belongs to the account, and that it may receive by charges.',
    );
  const { sandboxMarker, isOfTestHost } = outcome.charge;
  if (environment === 'production' && isOfTestHost)
    return wrong(
      'made, and nobody can pay its code: it is of a test environment',
      'Compare URL and the credentials with those of the provider’s production; unset TEST_LOCATION_HOSTS.',
    );
  if (environment === 'sandbox' && !sandboxMarker)
    return wrong(
      'made, and its code may be paid with real money',
      'If the account is a test account, set TEST_LOCATION_HOSTS to the host of its codes.',
    );
  return ok(`made for ${formatBrl(TEST_AMOUNT_MINOR)}; it expires in five minutes`);
}
