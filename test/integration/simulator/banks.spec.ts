// Slots on the dialects of banks that follow the standard, against the simulator's side of them: charges, payers and
// returns from end to end.
import assert from 'node:assert/strict';
import { parseBrCode } from '../../../domain/br-code.js';
import type { DialectName } from '../../../providers/settings.js';
import type { SlotName } from '../../../providers/port.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { aCharge, ANA, BETO, type Bench, type Changed, openBench } from './harness.js';

/** Which take a repeated `PUT` of an active charge. */
const REVISING: readonly DialectName[] = ['api-pix', 'sicoob'];

/** One bench for three slots, one for the fourth. */
const BENCHES: readonly { readonly slots: Partial<Record<SlotName, DialectName>>; readonly settings: Changed }[] = [
  {
    slots: { simulator: 'api-pix', a: 'sicredi', b: 'sicoob' },
    settings: {
      PROVIDER_SIMULATOR_DIALECT: 'api-pix',
      PROVIDER_A_DIALECT: 'sicredi',
      PROVIDER_A_TOKEN_URL: 'URL/a/oauth/token',
      PROVIDER_B_DIALECT: 'sicoob',
      PROVIDER_B_TOKEN_URL: 'URL/b/oauth/token',
      PROVIDER_B_CLIENT_SECRET: undefined,
    },
  },
  {
    slots: { a: 'banco-do-brasil' },
    settings: {
      PROVIDER_A_DIALECT: 'banco-do-brasil',
      PROVIDER_A_TOKEN_URL: 'URL/a/oauth/token',
      PROVIDER_A_CALL_QUERY: 'gw-dev-app-key=a-key',
    },
  },
];

for (const { slots, settings } of BENCHES) {
  let bench: Bench;
  describe(`slots on ${Object.values(slots).join(', ')}`, () => {
    before(async () => {
      bench = await openBench({}, settings);
    });
    after(() => bench.close());
    for (const [slot, dialect] of Object.entries(slots) as [SlotName, DialectName][])
      describe(dialect, () => behaves(slot, () => bench, REVISING.includes(dialect)));
  });
}

function behaves(slot: SlotName, bench: () => Bench, revises: boolean): void {
  const bank = () => bench().providers(slot);
  const aPaidCharge = async (payer: typeof ANA | null) => {
    const request = aCharge();
    await bank().createCharge(request);
    const paid = await bench().steering.payCharge(slot, request.reference, { amountMinor: null, payerDocument: payer });
    assert.ok(paid.kind === 'done' && paid.endToEndId !== null);
    return { reference: request.reference, endToEndId: paid.endToEndId };
  };

  const concluded = (reference: string) =>
    eventually(async () => {
      const found = await bank().lookUpCharge(reference, ANA);
      return found.kind === 'found' && found.status === 'paid' ? found : null;
    }, 'the charge is concluded');

  it('nothing → created, at a known test host; the same reference again is the same charge', async () => {
    const request = aCharge({ payer: { document: ANA, name: null, email: null } });
    const outcome = await bank().createCharge(request);
    assert.ok(outcome.kind === 'created' && outcome.charge.sandboxMarker);
    assert.ok(parseBrCode(outcome.charge.copyPaste).ok);
    assert.deepEqual(await bank().createCharge(request), outcome);
    assert.equal((await bench().books(request.reference)).charges.length, 1);
  });

  it(`asked for again with another amount → ${revises ? 'revised' : 'a conflict'}; paid → a conflict`, async () => {
    const request = aCharge();
    const first = await bank().createCharge(request);
    const again = await bank().createCharge({ ...request, amountMinor: 6_000n });
    const revision = async () => (await bench().books(request.reference)).charges[0]?.['revision'];
    if (revises) {
      assert.ok(first.kind === 'created' && again.kind === 'created');
      assert.equal(again.charge.amountMinor, 6_000n);
      assert.notEqual(again.charge.copyPaste, first.charge.copyPaste);
      assert.equal(await revision(), 1);
    } else {
      assert.deepEqual(again, { kind: 'refused', code: 'charge_conflict' });
      assert.equal(await revision(), 0);
    }
    await bench().steering.payCharge(slot, request.reference, { amountMinor: null, payerDocument: ANA });
    const late = await bank().createCharge({ ...request, amountMinor: 7_000n });
    assert.deepEqual(late, { kind: 'refused', code: 'charge_conflict' });
  });

  it('a scope is missing → unknown, until the client has it again', async () => {
    const setScopes = (scopes: readonly string[] | null) => bench().control('PUT', `/${slot}/scopes`, { scopes });
    const request = aCharge();
    assert.equal((await setScopes(['cob.read', 'pix.read'])).status, 204);
    assert.deepEqual(await bank().createCharge(request), { kind: 'unknown', reason: 'http_403' });
    assert.deepEqual(await bank().lookUpCharge(request.reference, ANA), { kind: 'not_found' });
    await setScopes(null);
    assert.equal((await bank().createCharge(request)).kind, 'created');
  });

  it('paid and not concluded yet → its payment is known, the charge open', async () => {
    const setLag = (conclusion_ms: number | null) => bench().control('PUT', `/${slot}/lag`, { conclusion_ms });
    assert.equal((await setLag(60_000)).status, 204);
    const { reference, endToEndId } = await aPaidCharge(ANA);
    const found = await bank().lookUpCharge(reference, ANA);
    assert.ok(found.kind === 'found' && found.status === 'open');
    assert.equal(found.payments[0]?.endToEndId, endToEndId);
    await setLag(null);
    await concluded(reference);
  });

  it('paid by the expected one → known; by another, or one who is not named → nobody', async () => {
    for (const [payer, expected] of [
      [ANA, ANA.number],
      [BETO, undefined],
      [null, undefined],
    ] as const) {
      const { reference } = await aPaidCharge(payer);
      const found = await concluded(reference);
      assert.equal(found.payments[0]?.payer?.document?.number, expected);
    }
  });

  it('paid → reported at the address of the slot, then returned once', async () => {
    const { reference, endToEndId } = await aPaidCharge(ANA);
    await eventually(() => bench().noticesOf(reference).length > 0, 'a notice');
    const order = { endToEndId, reference, amountMinor: 5_000n };
    assert.equal((await bank().requestReversal(order)).kind, 'accepted');
    assert.equal((await bank().requestReversal(order)).kind, 'accepted');
    await eventually(async () => {
      const found = await bank().lookUpCharge(reference, ANA);
      return found.kind === 'found' && found.payments[0]?.reversals[0]?.status === 'done';
    }, 'the return is done');
  });
}
