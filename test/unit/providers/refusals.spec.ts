// Refusals of payouts and returns: only what proves that nothing moved is believed; everything else is looked up.
import assert from 'node:assert/strict';
import { SIMULATOR, SIMULATOR_A, SIMULATOR_B } from '../../../providers/pix-api/simulator-dialects.js';
import { SLOTS, type PayoutRequest, type SlotName } from '../../../providers/port.js';
import { E2E, openFakePsp, type FakePsp, type Say } from './fake-psp.js';

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

/** A refusal as each provider words it. */
const REFUSAL: Record<SlotName, (status: number, word: string, code?: string) => Say> = {
  simulator: (status, word, codigo) => ({ status, json: { type: `https://psp.test/error/${word}`, codigo } }),
  a: (status, word, codigo) => ({ status, json: { nome: word, mensagem: '…', codigo } }),
  b: (status, word, reason) => ({ status, json: { error: { code: word, reason } } }),
};
/** A payout that failed, as each provider reports it. */
const FAILED: Record<SlotName, (code: string) => Say> = {
  simulator: (codigo) => ({
    json: {
      idEnvio: REFERENCE,
      valor: '75.00',
      status: 'NAO_REALIZADO',
      motivo: { codigo },
      horario: { solicitacao: '2026-03-05T12:00:00Z' },
    },
  }),
  a: (codigoErro) => ({ json: { idEnvio: REFERENCE, valor: '75.00', status: 'NAO_REALIZADO', codigoErro } }),
  b: (errorCode) => ({ json: { payment: { correlationID: REFERENCE, value: 7500, status: 'FAILED', errorCode } } }),
};
/** The word that refers to an ISO code, and one that says that the reference is taken. */
const SEE_CODE = { simulator: 'PixOutRecusado', a: 'envio_rejeitado', b: 'payment_refused' } as const;
const DUPLICATE = { simulator: 'PixOutDuplicado', a: 'id_envio_duplicado', b: 'payment_already_exists' } as const;
/** Words that say it all. */
const WORDS = {
  simulator: { PixOutOperacaoInvalida: 'payout_invalid', PixOutChaveNaoEncontrada: 'key_not_found' },
  a: { envio_invalido: 'payout_invalid', chave_nao_encontrada: 'key_not_found' },
  b: { invalid_payment: 'payout_invalid', destination_alias_not_found: 'key_not_found' },
} as const satisfies Record<SlotName, Record<string, string>>;
const FINAL = [
  ...['AC03', 'AC06', 'AC07', 'AC14', 'AG03', 'AM02', 'AM04', 'AM09', 'AM12', 'BE01', 'CH11', 'CH16', 'DS04', 'DS27'],
  ...['FF08', 'RC10', 'RR04'],
];
/** A duplicate, timeouts, "something went wrong", codes that nobody knows, and names of object members. */
const NO_PROOF = ['AM05', 'AB03', 'AB09', 'AB11', 'DS24', 'ED05', 'ZZ99', 'AGNT', 'ac03', 'constructor', 'AC031'];

const DIALECT_OF = { simulator: SIMULATOR, a: SIMULATOR_A, b: SIMULATOR_B } as const;

let psp: FakePsp;
beforeEach(async () => {
  psp = await openFakePsp();
});
afterEach(() => psp.close());

const send = (name: SlotName, say: Say) => {
  psp.next = [say];
  return psp.provider(name).sendPayout(REQUEST);
};
const lookUp = (name: SlotName, say: Say) => {
  psp.next = [say];
  return psp.provider(name).lookUpPayout(REQUEST);
};
const unknown = (reason: string) => ({ kind: 'unknown', reason });

for (const name of SLOTS) {
  describe(`refused payouts of ${name}`, () => {
    const refusal = REFUSAL[name];

    it('has exactly the final codes and words of this test', () => {
      const { finalCodes, finalRefusals } = DIALECT_OF[name].payout!;
      assert.deepEqual([...finalCodes].sort(), [...FINAL].sort());
      assert.equal(Object.keys(finalRefusals).length, Object.keys(WORDS[name]).length + 1);
    });

    for (const status of [400, 422]) {
      it(`${status} with AM04 → no funds: the same order can be given again`, async () =>
        assert.deepEqual(await send(name, refusal(status, SEE_CODE[name], 'AM04')), { kind: 'no_funds' }));
      for (const code of FINAL.filter((one) => one !== 'AM04'))
        it(`${status} with ${code} → failed`, async () => {
          const outcome = await send(name, refusal(status, SEE_CODE[name], code));
          assert.ok(outcome.kind === 'reply' && outcome.payout.status === 'failed');
          assert.equal(outcome.payout.failureCode, code);
        });
      for (const [word, failureCode] of Object.entries(WORDS[name]))
        it(`${status} ${word} → failed: ${failureCode}`, async () => {
          const outcome = await send(name, refusal(status, word));
          assert.ok(outcome.kind === 'reply' && outcome.payout.status === 'failed');
          assert.equal(outcome.payout.failureCode, failureCode);
        });
    }

    for (const code of NO_PROOF) {
      it(`422 with ${code} → unknown`, async () =>
        assert.deepEqual(await send(name, refusal(422, SEE_CODE[name], code)), unknown('http_422')));
      it(`422 with a final word and ${code} → unknown: they contradict each other`, async () =>
        assert.deepEqual(await send(name, refusal(422, Object.keys(WORDS[name])[0]!, code)), unknown('http_422')));
      it(`an answer that says "failed" with ${code} → unknown`, async () => {
        const reason = code === 'AM05' ? 'failed_as_duplicate' : 'failure_not_final';
        assert.deepEqual(await send(name, FAILED[name](code)), unknown(reason));
      });
    }
    it('422 that refers to a code and has none → unknown', async () =>
      assert.deepEqual(await send(name, refusal(422, SEE_CODE[name])), unknown('http_422')));
    for (const word of [DUPLICATE[name], 'SaldoInsuficiente', 'rejeitado', 'constructor'])
      for (const code of [undefined, 'AC03'])
        it(`422 ${word} with ${code ?? 'no code'} → unknown`, async () =>
          assert.deepEqual(await send(name, refusal(422, word, code)), unknown('http_422')));
    for (const status of [401, 403, 404, 409, 410, 412, 429, 500, 503])
      it(`${status} with a final word and code → unknown`, async () =>
        assert.deepEqual(await send(name, refusal(status, SEE_CODE[name], 'AC03')), unknown(`http_${status}`)));

    it('a look-up decides: the final state with any code, but for a duplicate', async () => {
      for (const code of ['AC03', 'ED05', 'AB03', 'ZZ99']) {
        const found = await lookUp(name, FAILED[name](code));
        assert.ok(found.kind === 'found' && found.payout.status === 'failed' && found.payout.failureCode === code);
      }
      assert.deepEqual(await lookUp(name, FAILED[name]('AM05')), unknown('failed_as_duplicate'));
    });

    it('a look-up finds nothing only if the provider says so in its own words', async () => {
      const own = { simulator: 'NaoEncontrado', a: 'nao_encontrado', b: 'not_found' }[name];
      assert.deepEqual(await lookUp(name, refusal(404, own)), { kind: 'not_found' });
      for (const word of ['rota_inexistente', 'no_such_route', 'constructor'])
        assert.deepEqual(await lookUp(name, refusal(404, word)), unknown('http_404'));
    });
  });

  describe(`refused returns of ${name}`, () => {
    const refusal = REFUSAL[name];
    const missing = refusal(404, { simulator: 'NaoEncontrado', a: 'nao_encontrado', b: 'not_found' }[name]);
    const final = { simulator: 'PixDevolucaoInvalida', a: 'devolucao_invalida', b: 'refund_refused' }[name];
    const duplicate = {
      simulator: 'PixDevolucaoDuplicada',
      a: 'devolucao_duplicada',
      b: 'refund_already_exists',
    }[name];
    const ask = (...next: Say[]) => {
      psp.next = next;
      return psp.provider(name).requestReversal({ endToEndId: E2E, reference: REFERENCE, amountMinor: 5_000n });
    };
    const done: Say = {
      json: {
        id: REFERENCE,
        valor: '50.00',
        status: 'DEVOLVIDO',
        horario: { solicitacao: '2026-03-05T12:00:00Z', liquidacao: '2026-03-05T12:00:01Z' },
      },
    };

    for (const status of [400, 409, 422]) {
      it(`${status} ${final}, and there is no such return → refused`, async () => {
        const outcome = await ask(refusal(status, final), missing);
        assert.equal(outcome.kind, 'refused');
      });
      it(`${status} with AM04, and there is no such return → it is asked for again when there is money`, async () =>
        assert.deepEqual(await ask(refusal(status, final, 'AM04'), missing), unknown('no_funds')));
      it(`${status} ${duplicate}, and there is no such return → unknown: a replica behind`, async () =>
        assert.deepEqual(await ask(refusal(status, duplicate), missing), unknown(`http_${status}`)));
      it(`${status} in other words, and there is no such return → unknown`, async () =>
        assert.deepEqual(await ask(refusal(status, 'tente_mais_tarde'), missing), unknown(`http_${status}`)));
      it(`${status} in any words, and the return is there → accepted`, async () => {
        for (const word of [final, duplicate, 'tente_mais_tarde']) {
          const outcome = await ask(refusal(status, word), done);
          assert.ok(outcome.kind === 'accepted' && outcome.reversal.status === 'done', word);
        }
      });
      it(`${status}, and a proxy says 404 → unknown`, async () =>
        assert.deepEqual(await ask(refusal(status, final), refusal(404, 'no_such_route')), unknown('http_404')));
    }
  });
}
