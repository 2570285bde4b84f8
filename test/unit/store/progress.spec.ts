// The progress of a check as it crosses Temporal: only what a step wrote for the same check, lately, counts.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { openProgress, proveProgress } from '../../../store/sealing/proofs.js';
import { Sealer } from '../../../store/sealing/sealer.js';
import { keysInMemory } from '../../../store/sealing/keys.js';

const sealerOf = (secret: string) =>
  new Sealer(keysInMemory([{ id: 'k1', key: createHash('sha256').update(secret).digest() }], null));

describe('the progress of a check', () => {
  const sealer = sealerOf('ours');
  const begun = '2026-11-21T04:00:00.000Z';
  const progress = { startedAt: begun, state: { after: 'op_1', problems: 2 } };
  const text = proveProgress(sealer, 'ledgers', progress);
  const open = (change: { by?: Sealer; check?: string; text?: unknown; at?: string } = {}) =>
    openProgress(
      change.by ?? sealer,
      change.check ?? 'ledgers',
      'text' in change ? change.text : text,
      change.at ?? begun,
    );

  it('what a step wrote is read by the next', () => assert.deepEqual(open(), progress));

  it('nothing else is: changed, of another check or gateway, no text', () => {
    const [body = '', ...proof] = text.split('.');
    const lie = Buffer.from(JSON.stringify({ ...progress, state: { after: 'op_9', problems: 0 } })).toString(
      'base64url',
    );
    for (const forged of [[lie, ...proof].join('.'), body, `${body}.`, `.${proof.join('.')}`, '', {}, 7, undefined])
      assert.equal(open({ text: forged }), null, String(forged));
    assert.equal(open({ check: 'open workflows' }), null);
    assert.equal(open({ by: sealerOf('another’s') }), null);
  });

  it('of an earlier night: no more', () => {
    assert.deepEqual(open({ at: '2026-11-22T04:00:00.000Z' }), progress);
    assert.equal(open({ at: '2026-11-22T04:00:00.001Z' }), null);
  });
});
