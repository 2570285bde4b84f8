// What takes two people in production: starting again what one person stopped, and every other opening of an access.
// One person always stops.
import assert from 'node:assert/strict';
import { APPROVAL_KINDS } from '../../../domain/approvals.js';
import { ACCESS_ACTS, OWN_ACTS, STORED_ACTS } from '../../../domain/staff.js';
import { createTestGateway, REQUESTS_OF_GATEWAY, type TestGateway } from './support.js';

type Person = Awaited<ReturnType<TestGateway['signedIn']>>;

describe('two people in production', () => {
  let gateway: TestGateway;
  let operation: string;
  let ana: Person;
  let ben: Person;
  before(async () => {
    gateway = await createTestGateway();
    ana = await gateway.signedIn('ana');
    ben = await gateway.signedIn('ben');
  });
  beforeEach(async () => {
    operation = await gateway.production();
  });
  after(() => gateway.close());

  const row = async () => (await gateway.rows('SELECT * FROM operation WHERE id = $1', operation))[0] ?? {};
  const requestOf = ({ requests }: { requests?: { id: string }[] }) => requests?.[0]?.id ?? '';
  const acts = async () =>
    (await gateway.rows('SELECT kind, staff_handle FROM staff_act WHERE operation_id = $1', operation)).map(
      ({ kind, staff_handle: handle }) => `${String(handle)} ${String(kind)}`,
    );

  it('resuming an operation: suspended by one, resumed by two', async () => {
    assert.deepEqual(await ana.json('operation', 'suspend', operation), {
      operation_id: operation,
      status: 'suspended',
    });
    const asked = await ana.json('operation', 'resume', operation);
    assert.deepEqual([asked['status'], asked['requests'][0].kind], ['suspended', 'resume']);
    await ana.fails(1, /another person must approve it/, 'request', 'approve', requestOf(asked));
    assert.equal((await row())['status'], 'suspended');
    const approved = await ben.json('request', 'approve', requestOf(asked));
    assert.deepEqual([approved['status'], approved['operation_status']], ['approved', 'active']);
    assert.equal((await row())['status'], 'active');
    assert.deepEqual((await acts()).sort(), ['ana operation.resume', 'ana operation.suspend', 'ben risk.approve']);
  });

  it('a stop outlasts a request that was made before it', async () => {
    await ana.json('operation', 'suspend', operation);
    const asked = await ana.json('operation', 'resume', operation);
    await ben.json('operation', 'suspend', operation);
    await ben.fails(1, /was rejected before by ben/, 'request', 'approve', requestOf(asked));
    assert.equal((await row())['status'], 'suspended');
  });

  it('automatic withdrawals: stopped by one, resumed by two', async () => {
    assert.deepEqual(await ana.json('operation', 'stop-automatic', operation), {
      operation_id: operation,
      automatic: 'stopped',
    });
    assert.ok((await row())['automatic_stopped_at'] instanceof Date);
    const asked = await ana.json('operation', 'resume-automatic', operation);
    assert.equal(asked['automatic'], 'stopped');
    assert.ok((await row())['automatic_stopped_at'] instanceof Date);
    assert.equal((await ben.json('request', 'approve', requestOf(asked)))['automatic'], 'on');
    assert.equal((await row())['automatic_stopped_at'], null);
  });

  it('the webhook address: the old one until a second person approves; an older request undoes no newer one', async () => {
    const set = (url: string) => ana.json('operation', 'set-webhook', '--operation', operation, url);
    const [first, second] = [await set('https://1.1.1.1/hooks'), await set('https://8.8.8.8/hooks')];
    assert.equal(first['webhook_url'], null);
    const [listed] = (await gateway.json('request', 'list', '--operation', operation))['requests'];
    assert.deepEqual(listed.asks_for, { url: 'https://8.8.8.8/hooks' });
    assert.equal((await ben.json('request', 'approve', requestOf(second)))['webhook_url'], 'https://8.8.8.8/hooks');
    await ben.fails(1, /requested later is in force/, 'request', 'approve', requestOf(first));
    assert.equal((await row())['webhook_url'], 'https://8.8.8.8/hooks');
  });

  it('a new webhook secret: nothing until a second person approves it, then one, made by the command', async () => {
    const rotate = (...more: string[]) => ['webhook-secret', 'rotate', '--operation', operation, ...more];
    const secrets = async () =>
      (await gateway.rows('SELECT 1 FROM webhook_secret WHERE operation_id = $1', operation)).length;
    const asked = await ana.json(...rotate('--revoke-earlier'));
    assert.deepEqual([asked['webhook_secret'], asked['requests'][0].kind], [null, 'webhook_secret']);
    assert.deepEqual((await ana.json(...rotate('--revoke-earlier')))['requests'], asked['requests'], 'it still waits');
    await ana.fails(1, /another person must approve it/, 'request', 'approve', requestOf(asked));
    await ben.json('request', 'approve', requestOf(asked));
    assert.equal(await secrets(), 1, 'the approval alone makes none');
    assert.equal(
      (await ana.json(...rotate()))['webhook_secret'],
      null,
      'nobody approved that the earlier one signs on',
    );
    assert.match((await ana.json(...rotate('--revoke-earlier')))['webhook_secret'], /^whsec_/);
    assert.equal((await ana.json(...rotate('--revoke-earlier')))['webhook_secret'], null, 'the approval is used up');
    assert.equal(await secrets(), 2);
    const [entry] = await gateway.rows(
      `SELECT person, detail FROM audit_entry WHERE operation_id = $1 AND action = 'webhook_secret.rotate'`,
      operation,
    );
    const { approval } = JSON.parse(String(entry?.['detail'])) as Record<string, unknown>;
    assert.deepEqual([entry?.['person'], approval], ['ana', requestOf(asked)]);
  });

  it('an entry leaves the block list by two people, a review list by one; the request does not show the value', async () => {
    const list = (act: string, name: string) =>
      ana.json('list', act, '--operation', operation, '--list', name, '--kind', 'player', 'player-77');
    await list('add', 'block');
    await list('add', 'review');
    assert.equal((await list('remove', 'review'))['removed'], true);
    const asked = await list('remove', 'block');
    assert.equal(asked['removed'], false);
    const entries = async () =>
      (await gateway.rows('SELECT 1 FROM list_entry WHERE operation_id = $1', operation)).length;
    assert.equal(await entries(), 1);
    const [listed] = (await gateway.json('request', 'list', '--operation', operation))['requests'];
    assert.deepEqual(Object.keys(listed.asks_for).sort(), ['entry', 'kind', 'list']);
    assert.ok(!JSON.stringify(await gateway.rows('SELECT * FROM approval_request')).includes('player-77'));
    assert.equal((await ben.json('request', 'approve', requestOf(asked)))['removed'], true);
    assert.equal(await entries(), 0);
    const gone = await list('remove', 'block');
    assert.deepEqual([gone['removed'], gone['requests']], [false, undefined], 'nothing to ask for');
  });

  it('two people erase a player, who must exist', async () => {
    const erase = ['player', 'erase', 'player-1', '--operation', operation];
    await ana.fails(1, /there is no such player/, ...erase);
    await gateway.rows(
      `INSERT INTO player (operation_id, external_ref, document_hash, document_sealed) VALUES ($1, 'player-1', 'h', 's')`,
      operation,
    );
    const asked = await ana.json(...erase);
    assert.deepEqual([asked['erased'], asked['requests'][0].kind], [false, 'player_erasure']);
    const erased = async () =>
      (await gateway.rows('SELECT erased_at FROM player WHERE operation_id = $1', operation))[0]?.['erased_at'] !==
      null;
    assert.equal(await erased(), false);
    await ana.fails(1, /another person must approve it/, 'request', 'approve', requestOf(asked));
    assert.equal((await ben.json('request', 'approve', requestOf(asked)))['payments_erased'], 0);
    assert.equal(await erased(), true);
  });

  it('a return that its provider never finishes: two people, a day after it was requested', async () => {
    const id = `dep_${'7'.repeat(32)}`;
    const requested = (hoursAgo: number) =>
      JSON.stringify({ actId: 'act_1', person: 'eva', reason: 'x', at: new Date(Date.now() - hoursAgo * 3_600_000) });
    await gateway.rows(
      `INSERT INTO deposit (id, operation_id, external_id, status, version, amount_minor, currency, method, player_ref,
        provider, request_sealed, return_request, created_at, updated_at, expires_at, paid_amount_minor, paid_at,
        end_to_end_id, review_reasons)
      VALUES ($1, $2, 'ext-1', 'under_review', 3, 5000, 'BRL', 'pix', 'player-1', 'a', 's', $3::jsonb, now(), now(), now(),
        5000, now(), 'E1', '{PAYER_UNKNOWN}')`,
      ...[id, operation, requested(23)],
    );
    const by = (...result: string[]) => [
      ...['review', 'conclude-return', id, '--result', ...result],
      ...['--evidence', 'ticket 4711', '--reason', 'stuck since Monday'],
    ];
    await ana.fails(2, /give the id of the return/, ...by('done'));
    await ana.fails(2, /has none/, ...by('never', '--return-id', `D${'1'.repeat(31)}`));
    await ana.fails(1, /can be concluded from .* on/, ...by('never'));
    await gateway.rows('UPDATE deposit SET return_request = $2::jsonb WHERE id = $1', id, requested(25));
    const asked = await ana.json(...by('done', '--return-id', `D${'1'.repeat(31)}`));
    assert.deepEqual([asked['concluded'], asked['requests'][0].kind], [false, 'return_conclusion']);
    const never = await ana.json(...by('never'));
    const concluded = () => gateway.rows('SELECT result, requested_by, approved_by FROM return_conclusion');
    assert.deepEqual(await concluded(), []);
    await ana.fails(1, /another person must approve it/, 'request', 'approve', requestOf(asked));
    assert.equal((await ben.json('request', 'approve', requestOf(asked)))['deposit_id'], id);
    assert.deepEqual(await concluded(), [{ result: 'done', requested_by: 'ana', approved_by: 'ben' }]);
    await ben.fails(1, /is concluded already/, 'request', 'approve', requestOf(never));
    await ana.fails(1, /is concluded already/, ...by('never'));
    const audited = await gateway.rows(
      `SELECT person, action FROM audit_entry WHERE operation_id = $1 AND action LIKE 'return.%' ORDER BY sequence`,
      operation,
    );
    assert.deepEqual(audited, [
      { person: 'ana', action: 'return.conclude_request' },
      { person: 'ana', action: 'return.conclude_request' },
    ]);
  });

  it('nobody is two people by a name, and who may not ask any more is not heard', async () => {
    await ana.json('operation', 'suspend', operation);
    await gateway.fails(1, /eva: has no role that may do this/, 'operation', 'resume', operation, '--as', 'eva');
    const asked = await ana.json('operation', 'resume', operation);
    await gateway.fails(1, /eva: has no role that may decide/, 'request', 'approve', requestOf(asked), '--as', 'eva');
    const cem = await gateway.signedIn('cem');
    const byCem = await cem.json('operation', 'resume', operation);
    await gateway.rows(`UPDATE staff SET disabled_at = now() WHERE handle = 'cem'`);
    await ben.fails(1, /cem may not ask for this any more/, 'request', 'approve', requestOf(byCem));
    assert.equal((await row())['status'], 'suspended');
    await gateway.rows(`UPDATE staff_session SET revoked_at = now() WHERE staff_handle = 'cem'`);
    await cem.fails(1, /the session has ended/, 'operation', 'suspend', operation);
  });

  it('the database knows every kind of request, and that its two people differ', async () => {
    const insert = (kind: string, status: string, by: string | null) =>
      gateway.rows(
        `INSERT INTO approval_request (id, operation_id, kind, payload, requested_by, status, decided_by, decided_at)
        VALUES (gen_random_uuid()::text, $1, $2, '{}', 'ana', $3, $4, CASE WHEN $4::text IS NULL THEN NULL ELSE now() END)`,
        ...[REQUESTS_OF_GATEWAY.includes(kind) ? null : operation, kind, status, by],
      );
    for (const kind of Object.keys(APPROVAL_KINDS)) await insert(kind, 'pending', null);
    await assert.rejects(insert('wish', 'pending', null), /approval_request_kind_check/);
    await assert.rejects(insert('resume', 'approved', 'ana'), /approval_request_people_check/);
    await assert.rejects(insert('resume', 'approved', null), /approval_request_people_check/);
    await insert('resume', 'rejected', 'ana');
  });

  it('the database knows every act that is stored', async () => {
    const [row] = await gateway.rows(
      `SELECT pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conname = 'staff_act_kind_check'`,
    );
    const known = [...String(row?.['text']).matchAll(/'([a-z_.]+)'::text/g)].map(([, kind]) => kind);
    assert.deepEqual(known.sort(), [...STORED_ACTS, ...ACCESS_ACTS, ...OWN_ACTS].sort());
  });
});
