// What a worker vouches for: nothing of it can be changed, moved to another payment, or said by somebody without keys.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readJson, writeJson } from '../../../domain/money.js';
import type { DepositSnapshot } from '../../../domain/payments/deposit.js';
import { Sealer } from '../../../store/sealing/sealer.js';
import { type KeyProvider, keysInMemory, KeysUnavailableError } from '../../../store/sealing/keys.js';
import { vouchedCreation, vouchedSnapshot, vouchFor, vouchForRefusal } from '../../../store/sealing/proofs.js';
import { depositSnapshotOf, withdrawalSnapshotOf } from '../http-schemas/snapshots.js';

const INSTRUCTIONS = { copyPaste: '000201', qrCodePngBase64: null, expiresAt: '2026-11-21T12:30:00.000Z' };

describe('vouched answers', () => {
  const keys = keysInMemory([{ id: 'k1', key: randomBytes(32) }], null);
  const sealer = new Sealer(keys);
  const snapshot = depositSnapshotOf({ instructions: INSTRUCTIONS });
  const proof = vouchFor(sealer, 'deposit', snapshot);
  const { id, operationId } = snapshot;
  const about = { id, operationId };
  const believed = (said: unknown, of = about) => vouchedSnapshot(sealer, 'deposit', of, { snapshot: said, proof });
  /** As Temporal hands it on. */
  const sent = (value: unknown): unknown => readJson(writeJson(value));

  it('a snapshot is believed as it was stored, in any order of its fields', () => {
    assert.deepEqual(believed(sent(snapshot)), snapshot);
    assert.deepEqual(believed(Object.fromEntries(Object.entries(snapshot).reverse())), snapshot);
    const withdrawal = withdrawalSnapshotOf({});
    const answer = sent({ snapshot: withdrawal, proof: vouchFor(sealer, 'withdrawal', withdrawal) });
    assert.deepEqual(vouchedSnapshot(sealer, 'withdrawal', withdrawal, answer), withdrawal);
  });

  for (const field of Object.keys(snapshot) as (keyof DepositSnapshot)[])
    it(`${field} changed, or left out: not believed`, () => {
      const { [field]: value, ...others } = snapshot;
      const changed =
        typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : [String(value), 'x'];
      assert.equal(believed({ ...snapshot, [field]: changed }), null);
      assert.equal(believed(others), null);
    });

  it('another PIX code, a further field, another proof: not believed', () => {
    assert.equal(believed({ ...snapshot, instructions: { ...INSTRUCTIONS, copyPaste: '000202' } }), null);
    assert.equal(believed({ ...snapshot, more: 1 }), null);
    for (const other of [null, undefined, 7, '', 'k1.', 'k2.AAAA', `${proof}A`, proof?.slice(0, -1)])
      assert.equal(vouchedSnapshot(sealer, 'deposit', about, { snapshot, proof: other }), null, String(other));
  });

  it('of another payment, operation or kind, or by another gateway: not believed', () => {
    assert.equal(believed(snapshot, { id: 'dep_other', operationId }), null);
    assert.equal(believed(snapshot, { id, operationId: 'op_other' }), null);
    assert.equal(believed({ ...snapshot, operationId: 'op_other' }, { id, operationId: 'op_other' }), null);
    assert.equal(vouchedSnapshot(sealer, 'withdrawal', about, { snapshot, proof }), null);
    const others = new Sealer(keysInMemory([{ id: 'k1', key: randomBytes(32) }], null));
    assert.equal(vouchedSnapshot(others, 'deposit', about, { snapshot, proof }), null);
  });

  it('no text, number or list is a snapshot, and nothing nested without end', () => {
    let endless: unknown = {};
    for (let level = 0; level < 50_000; level += 1) endless = { endless };
    for (const said of [null, undefined, 'paid', 7, [], [snapshot], { ...snapshot, endless }])
      assert.equal(believed(said), null);
    for (const answer of [null, undefined, 'created', []])
      assert.deepEqual(vouchedCreation(sealer, 'deposit', about, answer), { kind: 'unvouched' });
  });

  it('a refusal is believed for its payment and code alone', () => {
    const refusal = {
      kind: 'refused',
      code: 'player_blocked',
      proof: vouchForRefusal(sealer, 'deposit', about, 'player_blocked'),
    };
    const creation = (said: object, of = about) => vouchedCreation(sealer, 'deposit', of, said).kind;
    assert.deepEqual(vouchedCreation(sealer, 'deposit', about, refusal), { kind: 'refused', code: 'player_blocked' });
    assert.equal(creation({ ...refusal, code: 'velocity_exceeded' }), 'unvouched');
    assert.equal(creation({ ...refusal, proof }), 'unvouched');
    assert.equal(creation(refusal, { id: 'dep_other', operationId }), 'unvouched');
    assert.equal(creation(refusal, { id, operationId: 'op_other' }), 'unvouched');
    assert.equal(vouchedCreation(sealer, 'withdrawal', about, refusal).kind, 'unvouched');
    assert.equal(creation({ kind: 'created', snapshot, proof: refusal.proof }), 'unvouched');
    assert.equal(creation({ kind: 'created', snapshot, proof }), 'created');
    assert.equal(creation({ kind: 'duplicate', existingId: id }), 'duplicate');
  });

  it('while the keys are away a step gives no proof, and no answer is believed: neither fails', () => {
    const away = (): never => {
      throw new KeysUnavailableError('the vault does not answer');
    };
    const sealed = new Sealer({ ...keys, current: away, byId: away } satisfies KeyProvider);
    assert.equal(vouchFor(sealed, 'deposit', snapshot), null);
    assert.equal(vouchedSnapshot(sealed, 'deposit', about, { snapshot, proof }), null);
  });
});
