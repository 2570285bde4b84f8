// What can be sent from an account, and what is blocked in it, as Efí and Woovi document it: absent or unreadable
// blocks are not reported, and a balance that is not understood counts as none.
import assert from 'node:assert/strict';
import { AccountBalances } from '../../../activities/provider/payouts.js';
import type { OpenProvider } from '../../../providers/dialect-entry.js';
import { DIALECTS } from '../../../providers/index.js';
import { configFor, type FakePsp, openFakePsp } from './fake-psp.js';
import { type FakeWoovi, openFakeWoovi } from './woovi/fake-woovi.js';

describe('the balance of an account', () => {
  let psp: FakePsp;
  let woovi: FakeWoovi;
  let efi: OpenProvider;
  before(async () => {
    psp = await openFakePsp();
    woovi = await openFakeWoovi();
    efi = DIALECTS.efi.open('a', configFor(psp.url, 'efi'), {});
  });
  after(async () => {
    await efi.close();
    await Promise.all([psp.close(), woovi.close()]);
  });

  for (const [answer, expected] of [
    [
      { saldo: '100.00', bloqueios: { judicial: '1.00', med: '2.50', total: '3.50' } },
      { kind: 'balance', availableMinor: 10_000n, blockedMinor: 350n },
    ],
    [{ saldo: '100.00' }, { kind: 'balance', availableMinor: 10_000n, blockedMinor: null }],
    [
      { saldo: '100.00', bloqueios: null },
      { kind: 'balance', availableMinor: 10_000n, blockedMinor: null },
    ],
    [
      { saldo: '100.00', bloqueios: { total: 'nenhum' } },
      { kind: 'balance', availableMinor: 10_000n, blockedMinor: null },
    ],
    [{ saldo: '-12.50' }, { kind: 'balance', availableMinor: -1_250n, blockedMinor: null }],
    [{ saldo: '-1250' }, { kind: 'unknown', reason: 'unreadable_answer' }],
    [{ saldo: '--12.50' }, { kind: 'unknown', reason: 'unreadable_answer' }],
    [{ bloqueios: { total: '0.00' } }, { kind: 'unknown', reason: 'unreadable_answer' }],
  ] as const)
    it(`efi: ${JSON.stringify(answer)} → ${expected.kind}`, async () => {
      psp.next = [{ json: answer }];
      assert.deepEqual(await efi.readBalance(), expected);
      assert.equal(psp.requests.at(-1)?.path, '/v2/gn/saldo?bloqueios=true');
    });

  for (const [balance, blockedMinor] of [
    [{ total: 130, blocked: 100, available: 30 }, 100n],
    [{ total: 130, available: 30 }, null],
    [{ available: 30, blocked: null }, null],
    [{ available: 30, blocked: 'none' }, null],
  ] as const)
    it(`woovi: of the default account ${JSON.stringify(balance)} → ${blockedMinor} blocked`, async () => {
      const other = { isDefault: false, balance: { total: 9, blocked: 9, available: 9 } };
      const accounts = [other, { isDefault: true, balance }];
      woovi.says = { 'GET /account/': { json: { accounts } } };
      assert.deepEqual(await woovi.provider().readBalance(), { kind: 'balance', availableMinor: 30n, blockedMinor });
    });

  for (const available of [-1_250, '-1250'])
    it(`woovi: an overdrawn account (${JSON.stringify(available)}) is reported, and covers nothing`, async () => {
      woovi.says = { 'GET /account/': { json: { accounts: [{ isDefault: true, balance: { available } }] } } };
      const provider = woovi.provider();
      assert.deepEqual(await provider.readBalance(), {
        kind: 'balance',
        availableMinor: -1_250n,
        blockedMinor: null,
      });
      assert.equal(await new AccountBalances().cover(provider, 1n), false);
    });
});
