// Where the hits of the search lead, for every role and every kind of thing: to a page that the person may open and
// that shows it, or nowhere, with the name of the page that is closed to them.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { inboxReaders, REQUEST_KINDS } from '../../../domain/approvals.js';
import { newId } from '../../../domain/identifiers.js';
import { STAFF_ROLES } from '../../../domain/staff.js';
import { insertDeposit, insertEvent, insertPlayer, insertWithdrawal } from '../cli/payments.js';
import { REQUESTS_OF_GATEWAY } from '../cli/support.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

interface Lead {
  readonly page: keyof typeof PAGES;
  readonly id?: string;
  readonly operation?: string;
  readonly subject?: string;
  readonly ref?: string;
}

interface Hit {
  readonly type: string;
  readonly leads_to: Lead | null;
  readonly closed_page: 'approvals' | 'audit' | null;
}

/** What the page asks the panel for, that a lead opens. */
const PAGES = {
  payment: ({ id }: Lead) => `/payments/${id}`,
  player: ({ operation, ref }: Lead) => `/operations/${operation}/players/${ref}`,
  rule_change: ({ id }: Lead) => `/rule-changes/${id}`,
  alert: ({ id }: Lead) => `/alerts?id=${id}`,
  access: ({ operation }: Lead) => `/operations/${operation}`,
  money: ({ operation }: Lead) => `/operations/${operation}/cash-movements`,
  approvals: () => '/approvals',
  audit: ({ subject }: Lead) => `/audit?subject=${subject}`,
} as const;

/** Kinds that are about no operation. */

/** What a request of any kind may ask for. */
const ANYTHING = {
  scopes: ['read'],
  networks: [],
  replaces: [],
  url: 'https://shop.test/hooks',
  provider: 'a',
  signing_request: null,
  days: 1,
  revoke_earlier: false,
  key_id: 'k1',
  kind: 'player',
  entry: '00',
  movement: 'funding',
  amount: { amount: '1', currency: 'BRL' },
  to_provider: null,
  document: 'slip',
  reason: 'agreed',
  player: 'player-1',
};

describe('panel: where hits of the search lead', function () {
  this.timeout(60_000);
  let world: PanelWorld;
  let operationId: string;
  let other: string;
  /** By what it is: what is typed, the type of its hit, and what its page shows of it. */
  const things = new Map<string, { readonly text: string; readonly type: string; readonly shown: string | null }>();

  const add = (name: string, text: string, shown: string | null, type = name) =>
    things.set(name, { text, type, shown });
  const rows = (sql: string, ...values: unknown[]) => world.gateway.rows(sql, ...values);
  const insertRequest = async (kind: string, of: string | null, status = 'pending') => {
    const id = newId('approvalRequest');
    await rows(
      `INSERT INTO approval_request (id, operation_id, kind, payload, requested_by, status, decided_by, decided_at)
       VALUES ($1, $2, $3, $4, 'zoe', $5, $6, $7)`,
      ...[id, of, kind, JSON.stringify(ANYTHING), status],
      ...(status === 'pending' ? [null, null] : ['yan', new Date()]),
    );
    return id;
  };
  const insertAct = async (subject: string) => {
    const id = newId('staffAct');
    await rows(
      `INSERT INTO staff_act (id, kind, operation_id, subject_id, subject_version, reason, staff_handle, means, expires_at)
       VALUES ($1, 'withdrawal.refuse', $2, $3, 1, '', 'zoe', 'claim', now() + interval '1 minute')`,
      ...[id, operationId, subject],
    );
    return id;
  };

  before(async () => {
    world = await createPanelWorld();
    const created = await world.gateway.operation();
    [operationId, other] = [created['operation_id'], (await world.gateway.operation())['operation_id']];
    await world.member('zoe', []);
    const deposit = await insertDeposit(world.gateway, operationId, { status: 'paid' });
    const withdrawal = await insertWithdrawal(world.gateway, operationId, { status: 'paid' });
    await insertPlayer(world.gateway, operationId);
    const [alert, change, refused, cash] = [
      newId('alert'),
      newId('ruleChange'),
      newId('withdrawal'),
      newId('cashMovement'),
    ];
    await rows(
      `INSERT INTO alert (id, operation_id, kind, object_id, detail, created_at)
       VALUES ($1, $2, 'LATE_PAYMENT', $3, 'd', now())`,
      ...[alert, operationId, deposit],
    );
    await rows(
      `INSERT INTO rule_change_request (id, operation_id, base_version, rules, justification, requested_by)
       VALUES ($1, $2, 1, '{"version":1,"currencies":{}}', 'why', 'key_test_1')`,
      ...[change, operationId],
    );
    await rows(
      `INSERT INTO decision (operation_id, object_id, stage, rule_set_version, facts, thresholds, verdicts, outcome, digest,
         decided_at)
       VALUES ($1, $2, 'creation', 1, '{}', '{}', '[]', '{"code":"rules_rejected","reasons":[]}', 'd', now())`,
      ...[operationId, refused],
    );
    await rows(
      `INSERT INTO cash_movement (id, operation_id, provider, kind, currency, amount_minor, document, reason, requested_by)
       VALUES ($1, $2, 'simulator', 'funding', 'BRL', 1, 'slip', 'agreed', 'zoe')`,
      ...[cash, operationId],
    );
    const [idempotencyKey, ofNothing] = [randomUUID(), randomUUID()];
    for (const [key, object] of [
      [idempotencyKey, change],
      [ofNothing, null],
    ])
      await rows(
        `INSERT INTO idempotency_key (operation_id, key, fingerprint, token, state, locked_at, object_id)
         VALUES ($1, $2, '\\x00', gen_random_uuid(), 'finished', now(), $3)`,
        ...[operationId, key, object],
      );
    add('deposit', deposit, deposit);
    add('withdrawal', withdrawal, withdrawal);
    add('event', await insertEvent(world.gateway, operationId, deposit, 'deposit.paid'), deposit);
    add('operation', operationId, operationId);
    add('key', created['key_id'], created['key_id']);
    add('alert', alert, alert);
    add('rule_change', change, change);
    for (const kind of REQUEST_KINDS) {
      const id = await insertRequest(kind, REQUESTS_OF_GATEWAY.includes(kind) ? null : operationId);
      add(`request for a ${kind}`, id, id, 'request_for_approval');
    }
    add('decided request', await insertRequest('key', operationId, 'rejected'), '', 'request_for_approval');
    add('act on a payment', await insertAct(withdrawal), withdrawal, 'act');
    add('act on a key', await insertAct(created['key_id']), '', 'act');
    add('request of a change', idempotencyKey, change, 'request');
    add('request of nothing', ofNothing, null, 'request');
    add('refused_payment', refused, null);
    add('cash_movement', cash, 'slip');
    add('player', 'player-1', 'player-1');
  });
  after(() => world.close());

  const hitOf = async (person: Person, { text, type }: { readonly text: string; readonly type: string }) => {
    const { hits } = (await person.post('/search', { q: text })).body as { readonly hits: readonly Hit[] };
    return hits.find((hit) => hit.type === type);
  };

  for (const role of STAFF_ROLES)
    it(`${role}: whatever is found opens, or says which page is closed`, async () => {
      // Two, because one person may search only so often.
      const [first, second] = [
        await world.person(`leads-${role.replace('_', '-')}`, [role]),
        await world.person(`requests-${role.replace('_', '-')}`, [role]),
      ];
      const led = new Map<string, string | undefined>();
      for (const [name, thing] of things) {
        const person = name.startsWith('request for a ') ? second : first;
        const hit = await hitOf(person, thing);
        assert.ok(hit !== undefined, `${name} is found`);
        const { leads_to: lead, closed_page: closed } = hit;
        led.set(name, lead?.page);
        if (lead !== null) {
          const { status, text } = await person.get(PAGES[lead.page](lead));
          assert.equal(status, 200, `${name} leads to a page that opens: ${lead.page}`);
          assert.ok(text.includes(thing.shown ?? 'nothing'), `${name} is on the page that it leads to: ${lead.page}`);
        }
        if (closed !== null) {
          assert.equal(lead, null);
          const { status, text } = await person.get(closed === 'audit' ? `/audit?subject=${thing.text}` : '/approvals');
          assert.ok(status === 403 || !text.includes(thing.text), `${name} is on a page that is said to be closed`);
        }
        assert.equal(lead === null && closed === null, thing.shown === null, `${name} leads nowhere`);
      }
      for (const kind of REQUEST_KINDS)
        assert.equal(led.get(`request for a ${kind}`) === 'approvals', inboxReaders(kind).includes(role), kind);
    });

  it('a role in one operation opens no inbox of another, and one without the operation finds nothing', async () => {
    const text = await insertRequest('key', other);
    const thing = { text, type: 'request_for_approval' };
    const half = await world.person('half', ['support', { role: 'approver', operationId }]);
    const hit = await hitOf(half, thing);
    assert.deepEqual([hit?.leads_to, hit?.closed_page], [null, 'approvals']);
    assert.ok(!(await half.get('/approvals')).text.includes(text));
    const near = await world.person('near', [{ role: 'approver', operationId }]);
    assert.equal(await hitOf(near, thing), undefined);
  });
});
