// Callbacks: who may speak, and what is understood.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { DEFAULT_DIALECTS } from '../../../providers/settings.js';
import { createCallbackReaders } from '../../../providers/index.js';
import type { CallbackRequest, CallbackVerdict, SlotName } from '../../../providers/port.js';
import { E2E, OUR_KEY } from './fake-psp.js';

const REFERENCE = 'a'.repeat(32);
const OTHER_REFERENCE = 'b'.repeat(32);
const PIX = { endToEndId: E2E, txid: REFERENCE, valor: '50.00', horario: '2026-03-05T12:01:00Z', chave: OUR_KEY };
const SECRET = 'a secret of callbacks';
const proven = { pixKey: OUR_KEY, callbackSecret: SECRET, callbackCertificate: null, keysUrl: null };
const readers = createCallbackReaders({
  callbacks: {
    simulator: { ...proven, dialect: DEFAULT_DIALECTS.simulator },
    a: { ...proven, dialect: DEFAULT_DIALECTS.a },
    b: { ...proven, dialect: DEFAULT_DIALECTS.b },
  },
});
/** These dialects need nothing but the request: they answer at once. */
const verdictOf = (name: SlotName, request: CallbackRequest) =>
  readers(name)?.parseCallback(request) as CallbackVerdict;

const proofs: Record<SlotName, (body: string) => Record<string, string>> = {
  simulator: () => ({ 'x-callback-secret': SECRET }),
  a: (body) => ({ 'x-assinatura': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}` }),
  b: () => ({ 'x-webhook-token': SECRET }),
};
const payouts: Record<SlotName, object> = {
  simulator: {
    idEnvio: REFERENCE,
    valor: '75.00',
    status: 'REALIZADO',
    endToEndId: E2E,
    horario: { solicitacao: '2026-03-05T12:00:00Z' },
  },
  a: { idEnvio: REFERENCE, valor: '75.00', status: 'REALIZADO', e2eId: E2E },
  b: { payment: { correlationID: REFERENCE, value: 7_500, status: 'CONFIRMED', endToEndId: E2E } },
};

const post = (
  name: SlotName,
  what: 'pix' | 'payouts' | string,
  body: string | object,
  headers?: Record<string, string>,
): CallbackVerdict => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return verdictOf(name, {
    path: `/callbacks/${name}/${what}`,
    query: '',
    headers: headers ?? proofs[name](text),
    body: Buffer.from(text),
  });
};
const reasonOf = (verdict: CallbackVerdict) => ('reason' in verdict ? verdict.reason : '');

for (const name of ['simulator', 'a', 'b'] as const) {
  describe(`callbacks of ${name}`, () => {
    it('several payments in one call → a notice each', () => {
      const second = { ...PIX, txid: OTHER_REFERENCE, endToEndId: E2E.replace('E', 'X'), chave: undefined };
      assert.deepEqual(post(name, 'pix', { pix: [PIX, second] }), {
        kind: 'accepted',
        notices: [
          { kind: 'charge', reference: REFERENCE, endToEndId: E2E },
          { kind: 'charge', reference: OTHER_REFERENCE, endToEndId: E2E.replace('E', 'X') },
        ],
      });
    });
    it('our key in capitals is ours, and a charge alone is enough', () => {
      const odd = { ...PIX, chave: OUR_KEY.toUpperCase(), endToEndId: 'E1', devolucoes: 'none', pagador: 7, valor: '' };
      assert.deepEqual(post(name, 'pix', { pix: [odd] }), {
        kind: 'accepted',
        notices: [{ kind: 'charge', reference: REFERENCE, endToEndId: null }],
      });
    });

    it('a name in ISO-8859-1, which nobody reads, refuses nothing', () => {
      const text = JSON.stringify({ pix: [{ ...PIX, infoPagador: 'João' }] });
      const body = Buffer.from(text, 'latin1');
      const proof =
        name === 'a'
          ? { 'x-assinatura': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}` }
          : proofs[name](text);
      const verdict = verdictOf(name, { path: `/callbacks/${name}/pix`, query: '', headers: proof, body });
      assert.equal(verdict.kind, 'accepted');
    });

    it('of a payout only the references are read', () => {
      const { payment } = payouts.b as { payment: object };
      const odd = {
        simulator: { ...payouts.simulator, valor: 75, status: '', endToEndId: '', horario: 'now' },
        a: { ...payouts.a, valor: 75, status: 7, e2eId: 'E1' },
        b: { payment: { ...payment, value: '75', status: null, endToEndId: '' } },
      };
      assert.deepEqual(post(name, 'payouts', odd[name]), {
        kind: 'accepted',
        notices: [{ kind: 'payout', reference: REFERENCE, endToEndId: null }],
      });
    });

    it('a payment without a charge → accepted, no notice', () =>
      assert.deepEqual(post(name, 'pix', { pix: [{ ...PIX, txid: undefined }] }), { kind: 'accepted', notices: [] }));
    it('no payments → accepted, no notice', () =>
      assert.deepEqual(post(name, 'pix', { pix: [] }), { kind: 'accepted', notices: [] }));
    it('a return within a payment → the same notice: a trigger', () => {
      const back = {
        id: 'D1',
        valor: '50.00',
        status: 'DEVOLVIDO',
        natureza: 'MED_FRAUDE',
        horario: { solicitacao: '2026-03-06T12:00:00Z' },
      };
      assert.deepEqual(post(name, 'pix', { pix: [{ ...PIX, devolucoes: [back] }] }), {
        kind: 'accepted',
        notices: [{ kind: 'charge', reference: REFERENCE, endToEndId: E2E }],
      });
    });
    it('a payout → its notice', () =>
      assert.deepEqual(post(name, 'payouts', payouts[name]), {
        kind: 'accepted',
        notices: [{ kind: 'payout', reference: REFERENCE, endToEndId: E2E }],
      }));

    it('no proof → forged', () => assert.equal(post(name, 'pix', { pix: [PIX] }, {}).kind, 'forged'));
    it('an almost right proof → forged', () => {
      const text = JSON.stringify({ pix: [PIX] });
      const [[header, value]] = Object.entries(proofs[name](text)) as [[string, string]];
      for (const wrong of [value.slice(0, -1), `${value}x`, value.toUpperCase(), ''])
        assert.equal(post(name, 'pix', text, { [header]: wrong }).kind, 'forged', wrong);
    });
    it("another receiver's key → forged", () =>
      assert.equal(post(name, 'pix', { pix: [PIX, { ...PIX, chave: 'somebody@else.test' }] }).kind, 'forged'));
    it('a stranger learns nothing of what is wrong with the body', () =>
      assert.equal(post(name, 'pix', 'nonsense', {}).kind, 'forged'));

    for (const [title, what, body, reason] of [
      ['no JSON', 'pix', '{"pix":', /not JSON/],
      ['broken UTF-8 in place of JSON', 'pix', '\ufffd', /not JSON/],
      ['no list', 'pix', { pix: PIX }, /^pix: /],
      ['no reference at all', 'pix', { pix: [{ ...PIX, txid: '', endToEndId: 'E1' }] }, /^pix\.0\.endToEndId: /],
      ['too many payments', 'pix', { pix: Array.from({ length: 1_001 }, () => PIX) }, /^pix: /],
      ['a body beyond 256 KiB', 'pix', { pix: [PIX], padding: 'x'.repeat(300_000) }, /larger/],
      ['an empty payout', 'payouts', {}, /: /],
      ['a path that is no callback', 'refunds', { pix: [PIX] }, /path/],
    ] as const) {
      it(`${title} → malformed, with a clear reason`, () => {
        const verdict = post(name, what, body);
        assert.equal(verdict.kind, 'malformed');
        assert.match(reasonOf(verdict), reason);
      });
    }

    it('no reason repeats a value from the body', () => {
      const verdict = post(name, 'pix', { pix: [{ ...PIX, valor: 'SECRET-VALUE', infoPagador: 'Ana' }] });
      assert.ok(!reasonOf(verdict).includes('SECRET-VALUE'));
    });
  });
}

describe('callbacks across providers', () => {
  it("a path of another provider → malformed, even with this provider's proof", () => {
    const body = Buffer.from(JSON.stringify({ pix: [PIX] }));
    assert.equal(
      verdictOf('simulator', { path: '/callbacks/a/pix', query: '', headers: proofs.simulator(''), body }).kind,
      'malformed',
    );
  });

  it('a signature covers the bytes, not the meaning', () => {
    const signed = JSON.stringify({ pix: [PIX] });
    assert.equal(post('a', 'pix', `${signed} `, proofs.a(signed)).kind, 'forged');
  });
});
