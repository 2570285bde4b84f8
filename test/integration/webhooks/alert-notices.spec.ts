// Alerts are sent on: to a real HTTP receiver as webhook and as pager, and to a real SMTP server, until each has
// accepted; what a process that dies leaves behind is taken again; nothing about a person is sent.
import assert from 'node:assert/strict';
import { type AddressInfo, BlockList, createServer, type Server } from 'node:net';
import { pino } from 'pino';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { sendEmail } from '../../../activities/alert-notices/email.js';
import { type NoticeDependencies, sendDueNotices } from '../../../activities/alert-notices/send.js';
import { createEgressAgent } from '../../../activities/webhooks/egress.js';
import { webhookSignature } from '../../../contract/http/webhooks.js';
import type { AlertTargets } from '../../../domain/alert-notices.js';
import { createDatabase, type Database } from '../../../store/database.js';
import { takeDueNotices } from '../../../store/alerts/notices.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { type Receiver, startReceiver } from '../../../lab/harness/receiver.js';
import { keepSendingNotices } from '../../../worker/alert-notices.js';
import { openStore, type StoreFixture } from '../store/fixtures.js';

const SECRET = 'a secret of the gateway’s own alerts';
const FROM = 'gateway@acme.example';

interface Mail {
  readonly to: readonly string[];
  readonly text: string;
}

/** An SMTP server that takes the login `gateway`, and what it was given. By default it offers no STARTTLS. */
async function startMailServer(options: SMTPServerOptions = { disabledCommands: ['STARTTLS'] }) {
  const mails: Mail[] = [];
  /** The logins that it was told, good or not. */
  const logins: string[] = [];
  const server = new SMTPServer({
    allowInsecureAuth: true,
    ...options,
    onAuth: ({ username = '', password }, _session, callback) => {
      logins.push(username);
      if (username === 'gateway' && password === 'pass') callback(null, { user: username });
      else callback(new Error('no'));
    },
    onData: (stream, { envelope }, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push({ to: envelope.rcptTo.map((one) => one.address), text: Buffer.concat(chunks).toString('utf8') });
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  // A client that hangs up in the middle of TLS is no fault of the server.
  server.on('error', () => undefined);
  return { mails, logins, port, close: () => new Promise<void>((resolve) => server.close(resolve)) };
}

describe('alerts are sent on', function () {
  this.timeout(30_000);
  let store: StoreFixture;
  /** As a worker of the webhooks is connected. */
  let database: Database;
  let webhook: Receiver;
  let pager: Receiver;
  let mail: Awaited<ReturnType<typeof startMailServer>>;
  const rules = { environment: 'sandbox', sandboxNetworks: new BlockList() } as const;
  const agent = createEgressAgent(rules);
  before(async () => {
    [store, webhook, pager, mail] = await Promise.all([
      openStore(),
      startReceiver(),
      startReceiver(),
      startMailServer(),
    ]);
    const url = store.testDatabase.urlOfRole('gateway_webhooks');
    database = createDatabase({ url, poolSize: 4, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 });
  });
  after(async () => {
    await database.$disconnect();
    await Promise.all([agent.close(), webhook.close(), pager.close(), mail.close(), store.close()]);
  });
  afterEach(() => store.database.alert.deleteMany());

  const emailTarget = (port = mail.port) => ({
    from: FROM,
    to: ['duty@acme.example', 'ana@acme.example'],
    server: { host: 'localhost', port, isTls: false, login: { user: 'gateway', password: 'pass' } },
  });
  const everyTarget = (): AlertTargets => ({
    webhook: { url: webhook.url, secret: SECRET },
    email: emailTarget(),
    pager: { url: pager.url, routingKey: 'a routing key' },
    leastClass: 'critical',
  });
  const dependencies = (targets: AlertTargets = everyTarget()): NoticeDependencies => ({
    ...{ database, targets, agent, rules },
    logger: pino({ level: 'silent' }),
  });
  let alerts = 0;
  const raise = async (kind: string) => {
    alerts += 1;
    const id = `alr_${String(alerts).padStart(32, '0')}`;
    await store.database.alert.create({
      data: {
        ...{ id, kind, operationId: store.operationId, objectId: 'obj_of_somebody', causedBy: 'ana.souza' },
        ...{ detail: 'ana.souza broke the glass, ticket INC-1', createdAt: new Date('2026-11-27T12:00:00Z') },
      },
    });
    return id;
  };
  const received = () => [webhook.bodies.length, pager.bodies.length, mail.mails.length] as const;
  /** What comes at webhook, pager and mail server while something is done. */
  const newly = async (done: () => Promise<unknown>) => {
    const before = received();
    await done();
    return received().map((number, index) => number - (before[index] ?? 0));
  };
  const notices = () =>
    store.database.alertNotice.findMany({ select: { alertId: true, sentTo: true, attempts: true } });
  const becomeDue = () => store.database.alertNotice.updateMany({ data: { dueAt: new Date() } });

  it('as a signed webhook, an event for a pager and an e-mail, each once, without a word about a person', async () => {
    const id = await raise('BREAK_GLASS');
    assert.deepEqual(await newly(() => sendDueNotices(dependencies())), [1, 1, 1]);
    assert.deepEqual(await newly(() => sendDueNotices(dependencies())), [0, 0, 0]);
    assert.deepEqual(await notices(), []);

    const [body = '', headers] = [webhook.bodies.at(-1), webhook.headers.at(-1)];
    const { meaning, safe_action: _, ...alert } = JSON.parse(body) as Record<string, unknown>;
    assert.deepEqual(alert, {
      id,
      type: 'alert.raised',
      environment: 'sandbox',
      kind: 'BREAK_GLASS',
      class: 'abuse',
      operation_id: store.operationId,
      raised_at: '2026-11-27T12:00:00.000Z',
    });
    assert.match(String(meaning), /break-glass session/);
    assert.equal(headers?.['svc-event-id'], id);
    const signature = webhookSignature([SECRET], Number(headers?.['svc-timestamp']), id, Buffer.from(body));
    assert.equal(headers?.['svc-signature'], signature);
    assert.ok(Math.abs(Date.now() / 1_000 - Number(headers?.['svc-timestamp'])) < 60);

    const event = JSON.parse(pager.bodies.at(-1) ?? '') as Record<string, Record<string, unknown>>;
    assert.deepEqual(
      [event['routing_key'], event['event_action'], event['dedup_key'], event['payload']?.['severity']],
      ['a routing key', 'trigger', id, 'critical'],
    );

    const { to, text } = mail.mails.at(-1) ?? assert.fail('no mail');
    assert.deepEqual(to, ['duty@acme.example', 'ana@acme.example']);
    assert.match(text, new RegExp(`^Message-ID: <${id}@acme\\.example>`, 'm'));
    assert.match(text, /^Subject: \[payments gateway, sandbox\] BREAK_GLASS/m);

    // The database's role could not read it, either.
    for (const sent of [body, pager.bodies.at(-1) ?? '', text.replaceAll('ana@acme.example', '')])
      assert.doesNotMatch(sent, /ana|INC-1|obj_of_somebody/);
    await assert.rejects(database.alert.findFirst({ select: { detail: true } }), /permission denied/);
  });

  it('a target that refuses gets it again, the others do not, and the pauses grow', async () => {
    const id = await raise('UNPROVEN_ORDER');
    webhook.answerWith(500);
    assert.deepEqual(await newly(() => sendDueNotices(dependencies())), [1, 1, 1]);
    assert.deepEqual(
      (await notices()).map((one) => ({ ...one, sentTo: [...one.sentTo].sort() })),
      [{ alertId: id, sentTo: ['email', 'pager'], attempts: 1 }],
    );
    const pauses: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      const { dueAt } = await store.database.alertNotice.findFirstOrThrow();
      pauses.push(Math.round((dueAt.getTime() - Date.now()) / 10_000) * 10);
      await becomeDue();
      assert.deepEqual(await newly(() => sendDueNotices(dependencies())), [1, 0, 0]);
    }
    assert.deepEqual(pauses, [10, 60, 300, 900, 3_600, 3_600]);
    webhook.answerWith(202);
    await becomeDue();
    assert.deepEqual(await newly(() => sendDueNotices(dependencies())), [1, 0, 0]);
    assert.deepEqual(await notices(), []);
    webhook.answerWith(200);
  });

  it('take again what a process left unfinished; two processes never take the same one', async () => {
    const id = await raise('BREAK_GLASS');
    assert.deepEqual(
      (await takeDueNotices(database, 10)).map(({ alertId }) => alertId),
      [id],
    );
    // It dies here.
    assert.deepEqual(await newly(() => sendDueNotices(dependencies())), [0, 0, 0]);
    await becomeDue();
    const both = () => Promise.all([sendDueNotices(dependencies()), sendDueNotices(dependencies())]);
    assert.deepEqual(await newly(both), [1, 1, 1]);
  });

  it('the configured class and graver ones are sent, abuse always, and a kind of another build', async () => {
    const kinds = ['KEY_ROTATION_DUE', 'CALLBACK_FORGED', 'LEDGER_DIFFERS', 'STEP_FORGED', 'KIND_OF_TOMORROW'];
    for (const [leastClass, sent] of [
      ['abuse', 2],
      ['critical', 3],
      ['error', 4],
      ['warning', 5],
    ] as const) {
      await store.database.alert.deleteMany();
      for (const kind of kinds) await raise(kind);
      const targets = { ...everyTarget(), pager: null, email: null, leastClass };
      assert.deepEqual(await newly(() => sendDueNotices(dependencies(targets))), [sent, 0, 0], leastClass);
      assert.deepEqual(await notices(), []);
    }
  });

  it('a sandbox that names no target sends nothing and keeps nothing', async () => {
    await raise('BREAK_GLASS');
    const targets = { webhook: null, email: null, pager: null, leastClass: 'warning' } as const;
    assert.deepEqual(await newly(() => sendDueNotices(dependencies(targets))), [0, 0, 0]);
    assert.deepEqual(await notices(), []);
  });

  it('production calls no address that operators’ webhooks may not have; the notice waits', async () => {
    const production = { ...rules, environment: 'production' } as const;
    await raise('BREAK_GLASS');
    const sending = { ...dependencies(), rules: production, agent: createEgressAgent(production) };
    assert.deepEqual(await newly(() => sendDueNotices(sending)), [0, 0, 0]);
    assert.equal((await notices())[0]?.attempts, 1);
    const email = { id: 'alr_1', subject: 'x', text: 'x' };
    for (const host of ['localhost', '127.0.0.1', '::ffff:127.0.0.1', '10.0.0.1']) {
      const target = { ...emailTarget(), server: { ...emailTarget().server, host } };
      assert.deepEqual(
        await sendEmail(target, production, email),
        { kind: 'failed', reason: 'forbidden_target' },
        host,
      );
    }
  });

  it('a mail server that refuses the login, or says nothing, ends in a short reason', async () => {
    const email = { id: 'alr_1', subject: 'x', text: 'x' };
    const wrong = { ...emailTarget(), server: { ...emailTarget().server, login: { user: 'gateway', password: 'no' } } };
    assert.deepEqual(await sendEmail(wrong, rules, email), { kind: 'failed', reason: 'eauth' });
    const silent: Server = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    assert.deepEqual(await sendEmail(emailTarget(port), rules, email, { limitMs: 300 }), {
      kind: 'failed',
      reason: 'timeout',
    });
    await new Promise((resolve) => silent.close(resolve));
    assert.deepEqual(await sendEmail(emailTarget(port), rules, email), { kind: 'failed', reason: 'econnrefused' });
  });

  it('send nothing to a server without TLS, or without a proven name, where TLS is required', async () => {
    const email = { id: 'alr_1', subject: 'x', text: 'x' };
    const send = (port: number, requiresTls: boolean) => sendEmail(emailTarget(port), rules, email, { requiresTls });
    const before = [mail.logins.length, mail.mails.length];
    assert.deepEqual(await send(mail.port, true), { kind: 'failed', reason: 'etls' });
    assert.deepEqual([mail.logins.length, mail.mails.length], before);
    assert.deepEqual(await send(mail.port, false), { kind: 'delivered', refused: 0 }, 'it works otherwise');
    // The server’s own certificate is that of nobody.
    const unproven = await startMailServer({});
    try {
      for (const requiresTls of [true, false])
        assert.equal((await send(unproven.port, requiresTls)).kind, 'failed', `${requiresTls}`);
      assert.deepEqual([unproven.logins, unproven.mails], [[], []]);
    } finally {
      await unproven.close();
    }
  });

  it('a worker sends what is raised while it runs, within seconds', async () => {
    const sending = keepSendingNotices(dependencies());
    try {
      const before = received();
      await raise('BREAK_GLASS');
      await eventually(() => Promise.resolve(received().every((now, i) => now === (before[i] ?? 0) + 1)), 'it is sent');
    } finally {
      await sending.stop();
    }
  });
});
