// Who sees what in the inbox of what takes two people: every role × every kind, in the lists and in the counters.
import assert from 'node:assert/strict';
import { inboxReaders, REQUEST_KINDS } from '../../../domain/approvals.js';
import { newId } from '../../../domain/identifiers.js';
import { STAFF_ROLES } from '../../../domain/staff.js';
import { PANEL_ROUTES } from '../../../contract/panel/routes.js';
import { insertWithdrawal } from '../cli/payments.js';
import { REQUESTS_OF_GATEWAY } from '../cli/support.js';
import { firstCounters } from './counters.js';
import { createPanelWorld, type PanelWorld, type Person, readAllPages } from './world.js';

const ACCESS = [
  'key',
  'allowlist',
  'webhook',
  'certificate',
  'webhook_secret',
  'sealing_key',
  'player_erasure',
  'passkey',
  'person',
  'role',
  'sign_in_code',
  'passkey_reset',
  'account',
  'person_enable',
] as const;
const RISK = [
  'provider',
  'resume',
  'automatic_resume',
  'provider_resume',
  'list_removal',
  'cash_movement',
  'statement_removal',
  'statement_resolution',
  'item_return',
  'return_conclusion',
] as const;
const ALL = [...ACCESS, ...RISK, 'rule_change', 'write_off'] as const;
const SEEN: Readonly<Record<(typeof STAFF_ROLES)[number], readonly string[]>> = {
  support: [],
  reviewer: ['return_conclusion', 'write_off'],
  approver: ALL,
  risk_manager: [...RISK, 'rule_change', 'write_off'],
  admin: ALL,
  auditor: ALL,
};

describe('panel: the inbox', function () {
  this.timeout(60_000);
  let world: PanelWorld;
  let operationId: string;
  let other: string;

  before(async () => {
    world = await createPanelWorld();
    operationId = (await world.gateway.operation())['operation_id'];
    other = (await world.gateway.operation())['operation_id'];
    for (const kind of REQUEST_KINDS)
      await world.gateway.rows(
        `INSERT INTO approval_request (id, operation_id, kind, payload, requested_by) VALUES ($1, $2, $3, $4, 'zoe')`,
        newId('approvalRequest'),
        REQUESTS_OF_GATEWAY.includes(kind) ? null : operationId,
        kind,
        JSON.stringify({ url: 'https://1.1.1.1/hooks', kind: 'player', entry: 'ab' }),
      );
    await world.gateway.rows(
      `INSERT INTO rule_change_request (id, operation_id, base_version, rules, justification, requested_by, decided_by,
         status) VALUES ($1, $2, 1, '{}', 'fewer', 'key_test_x', '{}', 'pending_approval')`,
      newId('ruleChange'),
      operationId,
    );
    const lost = await insertWithdrawal(world.gateway, operationId, { status: 'approved', amount: '70000' });
    const asked = { person: 'zoe', decision: 'request_conclusion', status: 'approved', at: new Date().toISOString() };
    await world.gateway.rows(
      `UPDATE withdrawal SET write_offs = $2::jsonb WHERE id = $1`,
      lost,
      JSON.stringify([{ ...asked, reason: 'the provider knows nothing of it', evidence: 'ticket 4711' }]),
    );
  });
  after(() => world.close());

  const seenBy = async (person: Person) => {
    const requests = (await readAllPages(person, '/approvals')).map(({ kind }) => String(kind));
    const count = async (path: string) => ((await person.get(path)).body['items'] as unknown[]).length;
    return [
      ...requests,
      ...Array.from({ length: await count('/rule-changes') }, () => 'rule_change'),
      ...Array.from({ length: await count('/write-offs') }, () => 'write_off'),
    ].sort();
  };

  for (const role of STAFF_ROLES)
    it(`${role}: ${SEEN[role].length} of ${ALL.length} kinds, and a number in the menu that counts these`, async () => {
      const person = await world.person(`inbox-${role.replace('_', '-')}`, [role]);
      assert.equal((await firstCounters(world, person))['approvals'], SEEN[role].length);
      if (SEEN[role].length === 0) assert.equal((await person.get('/approvals')).body['code'], 'not_permitted');
      else assert.deepEqual(await seenBy(person), [...SEEN[role]].sort());
    });

  it('only a person who sees a kind may open the inbox', () => {
    const kinds = [...REQUEST_KINDS, 'rule_change', 'write_off'] as const;
    const readers = STAFF_ROLES.filter((role) => kinds.some((kind) => inboxReaders(kind).includes(role)));
    for (const name of ['readApprovals', 'readRuleChanges', 'readWriteOffs'] as const)
      assert.deepEqual([...PANEL_ROUTES[name].who], readers, name);
  });

  it('a role in one operation sees its kinds there, and another role’s elsewhere', async () => {
    const here = await world.person('here', [
      { role: 'risk_manager', operationId },
      { role: 'approver', operationId: other },
    ]);
    assert.deepEqual(
      await seenBy(here),
      [...SEEN.risk_manager].filter((kind) => !REQUESTS_OF_GATEWAY.includes(kind)).sort(),
    );
    const there = await world.person('there', [
      { role: 'reviewer', operationId: other },
      { role: 'approver', operationId: other },
    ]);
    assert.deepEqual(await seenBy(there), []);
    assert.equal((await firstCounters(world, there))['approvals'], 0);
  });
});
