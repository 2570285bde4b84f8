// Payouts: at most one request leaves, and only a final code or proof of "never left" settles anything.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { DIALECTS } from '../../../providers/index.js';
import type { PayoutRequest } from '../../../providers/port.js';
import { configFor, E2E, openFakePsp, plainly, type FakePsp, type Say } from './fake-psp.js';

const REFERENCE = 'c'.repeat(32);
const REQUEST: PayoutRequest = {
  reference: REFERENCE,
  amountMinor: 7_500n,
  key: { type: 'email', value: 'ana@player.test' },
  beneficiaryDocument: { type: 'CPF', number: '52998224725', country: 'BR' },
  lookupEndToEndId: null,
  description: 'Saque',
  mayLeave: () => true,
};
const REPLY = {
  idEnvio: REFERENCE,
  valor: '75.00',
  status: 'EM_PROCESSAMENTO',
  endToEndId: E2E,
  horario: { solicitacao: '2026-03-05T12:00:00Z' },
};
const PAID = {
  ...REPLY,
  status: 'REALIZADO',
  horario: { solicitacao: '2026-03-05T12:00:00Z', liquidacao: '2026-03-05T12:00:05Z' },
};

let psp: FakePsp;
beforeEach(async () => {
  psp = await openFakePsp();
});
afterEach(() => psp.close());

const send = (say: Say, callTimeoutMs = 5_000) => {
  psp.next = [say];
  return plainly(psp.provider('simulator', { callTimeoutMs }).sendPayout(REQUEST));
};
const unknown = (reason: string) => ({ kind: 'unknown', reason });

/** Sends with a permission of 200 ms, a moment after it was given. */
function senderScript(url: string): string {
  const moduleOf = (path: string) => JSON.stringify(new URL(`../../../${path}`, import.meta.url).href);
  return `
    import { CLOCKS, deadlineIn } from ${moduleOf('activities/payments/withdrawal/deadline.js')};
    import { HttpConnections } from ${moduleOf('providers/common/http.js')};
    const connections = new HttpConnections(${JSON.stringify(url)});
    const isExpired = deadlineIn(200, CLOCKS);
    console.log('permitted');
    await new Promise((resolve) => setTimeout(resolve, 50));
    const request = { method: 'POST', path: '/', headers: {}, atMostOnce: () => !isExpired() };
    console.log(JSON.stringify(await connections.send(request, AbortSignal.timeout(5_000))));
    await connections.close();`;
}

describe('sendPayout', () => {
  it('whose permission has expired when the connection is open sends nothing; the next one does', async () => {
    psp.next = [{ status: 201, json: REPLY }];
    const provider = psp.provider('simulator');
    for (const mayLeave of [() => false, async () => false]) {
      const late = await provider.sendPayout({ ...REQUEST, mayLeave });
      assert.deepEqual([late, psp.requests.length], [{ kind: 'not_sent', reason: 'too_late' }, 0]);
    }
    const unknown = await provider.sendPayout({ ...REQUEST, mayLeave: () => Promise.reject(new Error('no database')) });
    assert.deepEqual([unknown, psp.requests.length], [{ kind: 'not_sent', reason: 'network_error' }, 0]);
    assert.equal((await provider.sendPayout(REQUEST)).kind, 'reply');
  });

  it('of a process that was stopped after its permission sends nothing when it runs again', async () => {
    const sender = spawn(process.execPath, ['--input-type=module', '-e', senderScript(psp.url)]);
    const lines = createInterface(sender.stdout)[Symbol.asyncIterator]();
    assert.equal((await lines.next()).value, 'permitted');
    sender.kill('SIGSTOP');
    await sleep(300);
    sender.kill('SIGCONT');
    assert.deepEqual(JSON.parse(String((await lines.next()).value)), { kind: 'never_left', reason: 'too_late' });
    assert.equal(psp.requests.length, 0);
  }).timeout(20_000);

  it('processing → reply', async () => {
    assert.deepEqual(await send({ status: 201, json: REPLY }), {
      kind: 'reply',
      payout: {
        reference: REFERENCE,
        status: 'processing',
        endToEndId: E2E,
        failureCode: null,
        paidAt: null,
        returns: [],
        feeMinor: null,
      },
    });
  });
  it('paid → reply', async () => {
    const outcome = await send({ status: 200, json: PAID });
    assert.ok(outcome.kind === 'reply' && outcome.payout.status === 'paid');
    assert.equal(outcome.payout.paidAt, '2026-03-05T12:00:05.000Z');
  });
  it('422 with an ISO code → failed', async () => {
    const outcome = await send({ status: 422, json: { type: 'PixOutRecusado', codigo: 'AC03' } });
    assert.ok(outcome.kind === 'reply' && outcome.payout.status === 'failed');
    assert.equal(outcome.payout.failureCode, 'AC03');
  });
  it('an amount that no wire can carry → failed without a call', async () => {
    const outcome = await psp.provider('simulator').sendPayout({ ...REQUEST, amountMinor: 1_000_000_000_000n });
    assert.ok(outcome.kind === 'reply' && outcome.payout.failureCode === 'amount_not_supported');
    assert.equal(psp.requests.length, 0);
  });

  it('a document that PIX does not have → failed without a call: it is sent as nothing else', async () => {
    const beneficiaryDocument = { type: 'PASSPORT', number: '11222333000181', country: 'BR' } as const;
    for (const name of ['simulator', 'a', 'b'] as const) {
      const outcome = await psp.provider(name).sendPayout({ ...REQUEST, beneficiaryDocument });
      assert.ok(outcome.kind === 'reply' && outcome.payout.failureCode === 'document_not_supported');
    }
    assert.equal(psp.requests.length, 0);
  });

  it('a malformed key → failed without a call: its form could be that of another’s key', async () => {
    for (const key of [
      { type: 'phone', value: '52998224725' },
      { type: 'cpf', value: '529.982.247-25' },
      { type: 'email', value: 'Ana@player.test' },
    ] as const) {
      const outcome = await psp.provider('a').sendPayout({ ...REQUEST, key });
      assert.ok(outcome.kind === 'reply' && outcome.payout.failureCode === 'key_malformed');
    }
    assert.equal(psp.requests.length, 0);
  });

  const unclear: readonly (readonly [title: string, say: Say, reason: string])[] = [
    [
      '400 with a code that the dialect does not call final',
      { status: 400, json: { nome: 'saldo_insuficiente', mensagem: '…' } },
      'http_400',
    ],
    ['400 from a proxy', { status: 400, text: '<html>' }, 'http_400'],
    ['401', { status: 401, json: {} }, 'http_401'],
    ['403 with an ISO code', { status: 403, json: { nome: 'x', mensagem: 'y', codigo: 'AC03' } }, 'http_403'],
    ['404', { status: 404, json: { nome: 'x', mensagem: 'y' } }, 'http_404'],
    ['409 duplicate', { status: 409, json: { nome: 'duplicado', mensagem: 'y' } }, 'http_409'],
    ['429', { status: 429, json: { nome: 'x', mensagem: 'y' } }, 'http_429'],
    ['500 with an ISO code', { status: 500, json: { nome: 'x', mensagem: 'y', codigo: 'AC03' } }, 'http_500'],
    ['503', { status: 503, json: {} }, 'http_503'],
    ['a redirect', { status: 307, json: {}, headers: { location: '/elsewhere' } }, 'http_307'],
    ['a page', { text: '<html>' }, 'unreadable_answer'],
    ['a payout of another reference', { json: { ...REPLY, idEnvio: 'd'.repeat(32) } }, 'answer_of_another_payout'],
    ['a payout of another amount', { json: { ...REPLY, valor: '75.01' } }, 'answer_of_another_payout'],
    ['a state nobody knows', { json: { ...REPLY, status: 'EM_ANALISE' } }, 'unknown_payout_state'],
    [
      'a state that is the name of an object member',
      { json: { ...REPLY, status: 'constructor' } },
      'unknown_payout_state',
    ],
    ['failed without a code', { json: { ...REPLY, status: 'NAO_REALIZADO' } }, 'failed_without_a_code'],
    ['paid without an end-to-end id', { json: { ...PAID, endToEndId: null } }, 'paid_without_end_to_end_id'],
    ['a connection cut', (response) => void response.destroy(), 'connection_reset'],
    ['silence', () => undefined, 'timeout'],
  ];
  for (const [title, say, reason] of unclear) {
    it(`${title} → unknown, and one request only`, async () => {
      assert.deepEqual(await send(say, reason === 'timeout' ? 300 : 5_000), unknown(reason));
      assert.equal(psp.requests.length, 1);
    });
  }

  it('uses a new connection each time, so that no stale one blurs whether it left', async () => {
    const provider = psp.provider('simulator');
    const ports = new Set<number | undefined>();
    const remember: Say = (response) => {
      ports.add(response.socket?.remotePort);
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(REPLY));
    };
    psp.next = [remember, remember, remember];
    for (let index = 0; index < 3; index += 1) assert.equal((await provider.sendPayout(REQUEST)).kind, 'reply');
    assert.equal(ports.size, 3);
  });
});

describe('sendPayout: proof that nothing left', () => {
  const closedPort = async () => {
    const server = createTcpServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return port;
  };
  const sendTo = async (url: string) => {
    const provider = DIALECTS.simulator.open('simulator', configFor(url), { callTimeoutMs: 2_000 });
    try {
      return await provider.sendPayout(REQUEST);
    } finally {
      await provider.close();
    }
  };

  it('nobody listens → not_sent', async () =>
    assert.deepEqual(await sendTo(`http://127.0.0.1:${await closedPort()}`), {
      kind: 'not_sent',
      reason: 'token_connection_refused',
    }));
  it('no such name → not_sent', async () => {
    const outcome = await sendTo('http://no-such-host.invalid');
    assert.equal(outcome.kind, 'not_sent');
  });
  it('no TLS where TLS is expected → not_sent', async () =>
    assert.equal((await sendTo(psp.url.replace('http:', 'https:'))).kind, 'not_sent'));

  for (const [title, token, reason] of [
    ['refused credentials', { status: 401, json: {} }, 'token_http_401'],
    ['a token endpoint in trouble', { status: 503, json: {} }, 'token_http_503'],
    ['an unreadable token', { json: { access_token: 'x y', token_type: 'bearer', expires_in: 1 } }, 'token_unreadable'],
    ['a token endpoint that keeps silent', () => undefined, 'token_timeout'],
  ] as const satisfies readonly (readonly [string, Say, string])[]) {
    it(`${title} → not_sent`, async () => {
      psp.token = token;
      assert.deepEqual(await send({ status: 201, json: REPLY }, reason === 'token_timeout' ? 300 : 5_000), {
        kind: 'not_sent',
        reason,
      });
      assert.equal(psp.requests.length, 0);
    });
  }

  it('the provider goes away between token and send → not_sent', async () => {
    const provider = psp.provider('simulator');
    psp.next = [{ json: PAID }];
    assert.equal((await provider.lookUpPayout(REQUEST)).kind, 'found');
    await psp.stop();
    assert.deepEqual(await provider.sendPayout(REQUEST), { kind: 'not_sent', reason: 'connection_refused' });
  });
});

describe('lookUpPayout', () => {
  const lookUp = (say: Say) => {
    psp.next = [say];
    return plainly(psp.provider('simulator').lookUpPayout(REQUEST));
  };
  it('failed with a code → failed', async () => {
    const found = await lookUp({ json: { ...REPLY, status: 'NAO_REALIZADO', motivo: { codigo: 'AB03' } } });
    assert.ok(found.kind === 'found' && found.payout.status === 'failed' && found.payout.failureCode === 'AB03');
  });
  it('another reference → unknown', async () =>
    assert.deepEqual(
      await lookUp({ json: { ...PAID, idEnvio: 'd'.repeat(32) } }),
      unknown('answer_of_another_payout'),
    ));
  it('another amount → unknown: whatever was settled, it was not this', async () => {
    for (const status of ['REALIZADO', 'EM_PROCESSAMENTO'])
      assert.deepEqual(await lookUp({ json: { ...PAID, status, valor: '0.01' } }), unknown('answer_of_another_payout'));
  });
  it('404 of the provider → not_found; of a proxy → unknown', async () => {
    assert.deepEqual(await lookUp({ status: 404, json: { nome: 'nao_encontrado', mensagem: '' } }), {
      kind: 'not_found',
    });
    assert.deepEqual(await lookUp({ status: 404, text: 'nope' }), unknown('http_404'));
  });
});
