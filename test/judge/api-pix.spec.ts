// What the adapter sends and the simulator answers, and what the simulator calls back, against the published document of
// API Pix: recorded on the way between the two.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createProviders } from '../../providers/index.js';
import { readProvidersConfig } from '../../platform/config/providers.js';
import { eventually } from '../../tools/harness/eventually.js';
import { aCharge, environmentFor, newReference, openBench, type Bench } from '../integration/simulator/harness.js';
import { type Judge, judgeOfApiPix, SLIPS } from './api-pix-document.js';

interface Exchange {
  readonly method: string;
  /** Below the version, as the document writes paths. */
  readonly path: string;
  readonly sent: unknown;
  readonly status: number;
  readonly answered: unknown;
}

/** Passes everything on, and keeps what was said. */
async function openRecorder(
  target: string,
): Promise<{ url: string; exchanges: Exchange[]; close: () => Promise<void> }> {
  const exchanges: Exchange[] = [];
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const sent = await textOf(incoming);
      const { method = 'GET', url = '/' } = incoming;
      const passed = forward(`${target}${url}`, { method, headers: incoming.headers }, (answer) => {
        void (async () => {
          const text = await textOf(answer);
          const path = (url.split('?')[0] ?? '').replace(/^\/a(\/v2)?/, '');
          exchanges.push({ method, path, sent: parsed(sent), status: answer.statusCode ?? 0, answered: parsed(text) });
          outgoing.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' }).end(text);
        })();
      });
      passed.end(sent);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const parsed = (text: string): unknown => (text === '' ? undefined : JSON.parse(text));

/**
 * Where a bank writes other things than the standard does, which its adapter must bear. Everything else is a fault.
 * Keyed by dialect; each is `path of the exchange: fault`.
 */
const KNOWN_OF: Readonly<Record<string, readonly RegExp[]>> = {
  efi: [
    // The expiry of a charge that is read is text.
    /^GET \/cob.*expiracao must be integer$/,
    // Its refusals are {nome, mensagem}, some with a status that the standard does not have.
    /^(PUT|GET) .* status 409 is not in the document$/,
    /^GET \/cob.* status 400 is not in the document$/,
    /^(PUT|GET) .*body must have required property '(type|title|status)'$/,
  ],
};

for (const dialect of ['efi'] as const)
  describe(`API Pix, judged: the adapter and the simulator as ${dialect}`, () => {
    let judge: Judge;
    let bench: Bench;
    let recorder: Awaited<ReturnType<typeof openRecorder>>;
    let providers: ReturnType<typeof createProviders>;

    before(async function () {
      judge = judgeOfApiPix(this);
      const named = { PROVIDER_A_DIALECT: dialect };
      bench = await openBench({}, named);
      recorder = await openRecorder(bench.simulator.url);
      const environment = { ...environmentFor(bench.simulator.url), ...named, PROVIDER_A_URL: `${recorder.url}/a` };
      providers = createProviders(readProvidersConfig(environment));
      await speak();
    });
    after(async () => {
      await providers?.close();
      await recorder?.close();
      await bench?.close();
    });

    /** Everything that the standard has and the adapter says. */
    async function speak(): Promise<void> {
      const provider = providers('a');
      const charge = aCharge();
      await provider.createCharge(charge);
      await provider.createCharge(charge);
      await provider.createCharge(aCharge({ payer: { ...charge.payer, name: null } }));
      await provider.createCharge(aCharge({ amountMinor: 66_603n }));
      await provider.lookUpCharge(charge.reference);
      await provider.lookUpCharge(newReference());
      const paid = await bench.steering.payCharge('a', charge.reference, { amountMinor: null, payerDocument: null });
      assert.ok(paid.kind === 'done' && paid.endToEndId !== null);
      await provider.lookUpCharge(charge.reference);
      const order = { endToEndId: paid.endToEndId, reference: charge.reference, amountMinor: 5_000n };
      await provider.requestReversal(order);
      await provider.requestReversal(order);
      await provider.lookUpCharge(charge.reference);
      await eventually(() => bench.noticesOf(charge.reference).length > 1, 'callbacks of the payment and the return');
    }

    it('judges by the version that the adapter is written for', () => assert.equal(judge.version, '2.9.0'));

    it('what is sent', () => {
      const judged = recorder.exchanges.map(
        ({ method, path, sent }) => [path, judge.request(method, path, sent)] as const,
      );
      assert.ok(judged.filter(([, faults]) => faults !== undefined).length >= 10);
      assert.deepEqual(
        judged.flatMap(([path, faults]) => (faults ?? []).map((fault) => `${path} ${fault}`)),
        [],
      );
    });

    it('what is answered, but for what is known of the bank', () => {
      const faults = recorder.exchanges.flatMap(({ method, path, status, answered }) =>
        (judge.answer(method, path, status, answered) ?? []).map((fault) => `${method} ${path} ${fault}`),
      );
      const known = KNOWN_OF[dialect] ?? [];
      assert.deepEqual(
        faults.filter((fault) => !known.some((one) => one.test(fault))),
        [],
      );
      // One that no longer happens is known no more.
      assert.deepEqual(
        known.filter((one) => !faults.some((fault) => one.test(fault))),
        [],
      );
    });

    it('what is called back', () => {
      const bodies = bench.received.map(({ body }) => JSON.parse(body.toString()) as unknown);
      assert.ok(bodies.length > 1);
      assert.deepEqual(
        bodies.flatMap((body) => judge.body('WebhookPixBody', body)),
        [],
      );
    });

    it('and it can say no: a debtor without a name, an amount with a comma', () => {
      const body = { calendario: { expiracao: 60 }, valor: { original: '1.00' }, chave: 'a@b.test' };
      const path = `/cob/${newReference()}`;
      assert.deepEqual(judge.request('PUT', path, body), []);
      assert.notDeepEqual(judge.request('PUT', path, { ...body, devedor: { cpf: '52998224725' } }), []);
      assert.notDeepEqual(judge.request('PUT', path, { ...body, valor: { original: '1,00' } }), []);
      assert.equal(SLIPS.length, 5);
    });
  });
