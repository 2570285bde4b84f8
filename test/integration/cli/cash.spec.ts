// `gateway cash`: money that is no payment moves by two people in production, once, with a document, and the books
// hold.
import assert from 'node:assert/strict';
import { newEndToEndId, newReturnId } from '../../../domain/pix.js';
import { insertLate } from './payments.js';
import { createTestGateway, type TestGateway } from './support.js';

type Person = Awaited<ReturnType<TestGateway['signedIn']>>;

describe('gateway cash', function () {
  this.timeout(60_000);
  let gateway: TestGateway;
  let operation: string;
  let [ana, ben, cem]: Person[] = [];
  before(async () => {
    gateway = await createTestGateway();
    [ana, ben, cem] = [await gateway.signedIn('ana'), await gateway.signedIn('ben'), await gateway.signedIn('cem')];
  });
  beforeEach(async () => {
    operation = await gateway.production();
  });
  afterEach(async () => {
    const report = await gateway.json('ledger', 'verify');
    assert.deepEqual([report['ok'], report['problems']], [true, []]);
  });
  after(() => gateway.close());

  const order = (name: string, amount: string, ...more: string[]) => [
    ...['cash', name, '--operation', operation, amount, '--document', 'slip 7', '--reason', 'as agreed', ...more],
  ];
  const requestOf = ({ requests }: { requests?: { id: string }[] }) => requests?.[0]?.id ?? '';
  const asked = async (name: string, amount: string, ...more: string[]) =>
    requestOf(await (ana as Person).json(...order(name, amount, ...more)));
  const done = async (name: string, amount: string, ...more: string[]) =>
    (ben as Person).json('request', 'approve', await asked(name, amount, ...more));
  const balances = async () =>
    Object.fromEntries(
      (await gateway.rows('SELECT account, balance_minor FROM ledger_account WHERE operation_id = $1', operation))
        .filter(({ balance_minor: balance }) => balance !== '0')
        .map(({ account, balance_minor: balance }) => [account, balance]),
    ) as Record<string, string>;
  const entries = async () =>
    (await gateway.rows('SELECT 1 FROM ledger_entry WHERE operation_id = $1', operation)).length;

  it('a funding waits for another person, moves once, and is listed with its document and both people', async () => {
    const id = await asked('fund', '500000');
    assert.deepEqual(await balances(), {});
    const [waiting] = (await gateway.json('request', 'list', '--operation', operation))['requests'];
    assert.deepEqual(waiting.asks_for, {
      movement: 'funding',
      amount: { amount: '500000', currency: 'BRL' },
      provider: 'a',
      to_provider: null,
      document: 'slip 7',
      reason: 'as agreed',
    });
    await ana?.fails(1, /another person must approve it/, 'request', 'approve', id);
    assert.equal(await entries(), 0);
    const approved = (await ben?.json('request', 'approve', id)) as Record<string, unknown>;
    assert.match(String(approved['movement_id']), /^csh_[0-9a-f]{32}$/);
    assert.deepEqual(await balances(), { available: '500000', provider_clearing: '-500000' });
    await cem?.fails(1, /was approved before by ben/, 'request', 'approve', id);
    assert.equal(await entries(), 2);
    const [{ created_at: at, ...listed }] = (await gateway.json('cash', 'list', '--operation', operation))['movements'];
    assert.ok(at);
    assert.deepEqual(listed, {
      id: approved['movement_id'],
      operation_id: operation,
      operation_name: 'P',
      kind: 'funding',
      amount: { amount: '500000', currency: 'BRL' },
      provider: 'a',
      to_provider: null,
      from: 'provider_clearing',
      to: 'available',
      document: 'slip 7',
      return_id: null,
      reason: 'as agreed',
      request_id: id,
      requested_by: 'ana',
      approved_by: 'ben',
    });
    const found = await gateway.run('find', String(approved['movement_id']));
    assert.match(found.stdout, /cash_movement/);
  });

  it('a settlement above the cash box is refused when it is asked for, and again when it is approved', async () => {
    await done('fund', '1000');
    await ana?.fails(
      1,
      /the cash box does not cover it: it has R\$ 10,00 in the account a/,
      ...order('settle', '1001'),
    );
    const [first, second] = [await asked('settle', '600'), await asked('settle', '600')];
    const outcomes = await Promise.allSettled([
      ben?.json('request', 'approve', first),
      cem?.json('request', 'approve', second),
    ]);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(refused.length, 1);
    assert.match(String(refused[0]?.reason), /the cash box does not cover it: it has R\$ 4,00/);
    assert.deepEqual(await balances(), { available: '400', provider_clearing: '-400' });
    const statuses = await gateway.rows(`SELECT status FROM approval_request WHERE id = ANY($1) ORDER BY status`, [
      first,
      second,
    ]);
    assert.deepEqual(statuses, [{ status: 'approved' }, { status: 'pending' }], 'a refused approval decides nothing');
  });

  it('a payment in suspense is returned through its provider by two people, and goes out in no other way meanwhile', async () => {
    const payment = newEndToEndId('12345678', new Date());
    const deposit = await insertLate(gateway, operation, { payment, amount: '900' });
    const ordering = ['suspense', 'return', payment, '--operation', operation, '--reason', 'paid late'];
    await ana?.fails(2, /PAYMENT: give the end-to-end id/, 'suspense', 'return', 'E1', ...ordering.slice(3));
    const unknown = newEndToEndId('12345678', new Date());
    await ana?.fails(1, /it names no payment in suspense/, 'suspense', 'return', unknown, ...ordering.slice(3));
    const asked = (await ana?.json(...ordering)) as { ordered: boolean; requests: { id: string }[] };
    assert.equal(asked.ordered, false);
    const id = requestOf(asked);
    await ana?.fails(1, /another person must approve it/, 'request', 'approve', id);
    assert.deepEqual(await ben?.json('request', 'approve', id), {
      ...{ id, status: 'approved', operation_id: operation, deposit_id: deposit },
    });
    const [row] = await gateway.rows('SELECT return_request, returns FROM deposit WHERE id = $1', deposit);
    const { actId, of, amountMinor, person } = row?.['return_request'] as Record<string, string>;
    assert.deepEqual([of, amountMinor, person, row?.['returns']], [payment, '900', 'ana', 1]);
    assert.match((await gateway.run('find', String(actId))).stdout, /item_return/);
    for (const name of ['return-suspense', 'credit-suspense'])
      await ana?.fails(1, /a return of E\w+.* is under way/, ...order(name, '900', '--document', payment));
    await ana?.fails(1, /a return of E\w+.* is under way/, ...ordering);
    assert.deepEqual(
      await balances(),
      { provider_clearing: '-900', suspense: '900' },
      'nothing moves before it is done',
    );
  });

  it('a payment in suspense goes out once: returned, credited or assigned, whatever else is there', async () => {
    const [one, other] = [newEndToEndId('12345678', new Date()), newEndToEndId('12345678', new Date())];
    const returnId = newReturnId('12345678', new Date());
    const deposit = await insertLate(gateway, operation, { payment: one, amount: '900' });
    await insertLate(gateway, operation, { payment: other, amount: '5000' });
    const of = (payment: string, ...more: string[]) => ['--document', payment, ...more];
    await ana?.fails(1, /names no payment in suspense/, ...order('return-suspense', '900'));
    await ana?.fails(1, /only a part of E\w+ went back/, ...order('return-suspense', '300', ...of(one)));
    await ana?.fails(2, /--return-id/, ...order('return-suspense', '300', ...of(one, '--return-id', 'R1')));
    const twice = [
      await asked('return-suspense', '300', ...of(one, '--return-id', returnId)),
      await asked('return-suspense', '300', ...of(one, '--return-id', returnId)),
    ];
    const outcomes = await Promise.allSettled([
      ben?.json('request', 'approve', twice[0] ?? ''),
      cem?.json('request', 'approve', twice[1] ?? ''),
    ]);
    assert.match(
      String(outcomes.find((outcome) => outcome.status === 'rejected')?.reason),
      /this return of E\w+ is in the books already/,
    );
    await done('credit-suspense', '500', ...of(one));
    await done('assign-suspense', '4000', ...of(other));
    assert.deepEqual(await balances(), { available: '4500', provider_clearing: '-5600', suspense: '1100' });
    for (const name of ['return-suspense', 'credit-suspense'])
      await ana?.fails(1, /E\w+ does not cover it: R\$ 1,00 is left in suspense/, ...order(name, '101', ...of(one)));
    await ana?.fails(1, /the PIX is in suspense/, ...order('fund', '900', ...of(one)));
    interface Listed {
      readonly end_to_end_id: string;
      readonly left: { readonly amount: string };
      readonly exits: readonly {
        readonly way: string;
        readonly amount: { readonly amount: string };
        readonly said_by: string;
      }[];
    }
    const left = async (...more: string[]) =>
      ((await gateway.json('suspense', 'list', '--operation', operation, ...more))['items'] as Listed[]).map(
        ({ end_to_end_id: id, left: rest, exits: ways }) => [
          id,
          rest.amount,
          ways.map(({ way, amount, said_by: by }) => [way, amount.amount, by]),
        ],
      );
    const exits = [
      ['returned', '300', 'people'],
      ['credited', '500', 'people'],
    ];
    assert.deepEqual(await left(), [
      [one, '100', exits],
      [other, '1000', [['assigned', '4000', 'people']]],
    ]);
    await done('return-suspense', '100', ...of(one));
    assert.equal((await left()).length, 1);
    assert.equal((await left('--all')).length, 2);
    const [row] = await gateway.rows('SELECT returned_minor, suspense_credits FROM deposit WHERE id = $1', deposit);
    assert.deepEqual(row, { returned_minor: '400', suspense_credits: { [one]: '500' } });
    const more = `INSERT INTO suspense_entry VALUES ('x', 'y', 'suspense_credited', 'a', $1, -1001)`;
    await assert.rejects(
      gateway.rows(more, other),
      /suspense_item_left_check/,
      'nor can anybody who writes it himself',
    );
  });

  it('a PIX that is named as funding counts once', async () => {
    const payment = newEndToEndId('12345678', new Date());
    await done('fund', '700', '--document', payment);
    await ana?.fails(1, /the PIX is in the books already/, ...order('fund', '700', '--document', payment));
    assert.deepEqual(await balances(), { available: '700', provider_clearing: '-700' });
  });

  it('a correction says what is true, below zero too', async () => {
    await done('correct', '50', '--direction', 'up');
    await done('correct', '80', '--direction', 'down');
    assert.deepEqual(await balances(), { available: '-30', provider_clearing: '30' });
  });

  it('money stays where it lies when its operation moves, until two people enter that it was moved', async () => {
    const brl = (amount: string) => ({ amount, currency: 'BRL' });
    await done('fund', '500');
    const late = newEndToEndId('12345678', new Date());
    await insertLate(gateway, operation, { payment: late, amount: '90' });
    const moving = ['--from', 'a', '--to', 'b'];
    const inUse = /its withdrawals are paid from the account a/;
    await ana?.fails(1, inUse, ...order('move', '500', ...moving));
    const asked = await (ana as Person).json('operation', 'set-provider', '--operation', operation, 'b');
    const moved = await (ben as Person).json('request', 'approve', requestOf(asked));
    assert.deepEqual(moved['money'], [
      { provider: 'a', account: 'available', balance: brl('500') },
      { provider: 'a', account: 'suspense', balance: brl('90') },
    ]);
    // What is entered without an account is of the one in use: there is nothing yet.
    await ana?.fails(1, /it has R\$ 0,00 in the account b/, ...order('settle', '1'));
    await ana?.fails(1, /it has R\$ 5,00 in the account a/, ...order('move', '501', ...moving));
    await ana?.fails(1, /another operation's/, ...order('move', '1', '--from', 'a', '--to', 'b.acme'));
    await ana?.fails(2, /--to: must not be the simulator/, ...order('move', '1', '--from', 'a', '--to', 'simulator'));
    await ana?.fails(2, /--to: must be another/, ...order('move', '1', '--from', 'a', '--to', 'a'));
    await done('move', '400', ...moving);
    // Money in suspense is where its payment came, and goes from there.
    const returned = requestOf(await (ana as Person).json(...order('return-suspense', '90', '--document', late)));
    const [shownToBen] = (await gateway.json('request', 'list', '--operation', operation))['requests'];
    assert.equal(shownToBen.asks_for.provider, 'a');
    await (ben as Person).json('request', 'approve', returned);
    const { balances: shown } = await gateway.json('balance', 'list', '--operation', operation);
    assert.deepEqual(
      (shown as { provider: string; account: string; balance: { amount: string } }[])
        .map(({ provider, account, balance: { amount } }) => `${provider} ${account} ${amount}`)
        .filter((text) => !text.endsWith(' 0')),
      ['a available 100', 'a provider_clearing -100', 'b available 400', 'b provider_clearing -400'],
    );
    const banked = await gateway.rows(
      'SELECT account, kind FROM bank_movement WHERE operation_id = $1 AND amount_minor = 400 ORDER BY 1',
      operation,
    );
    assert.deepEqual(banked, [
      { account: 'a', kind: 'transfer_out' },
      { account: 'b', kind: 'transfer_in' },
    ]);
    const [last] = (await gateway.json('cash', 'list', '--operation', operation))['movements'].filter(
      ({ kind }: { kind: string }) => kind === 'moved',
    );
    assert.deepEqual([last.provider, last.to_provider, last.approved_by], ['a', 'b', 'ben']);
  });

  it('a dry run shows the balances after it, and leaves nothing behind', async () => {
    const shown = await gateway.json(...order('fund', '500'), '--dry-run');
    const brl = (amount: string) => ({ amount, currency: 'BRL' });
    assert.deepEqual(shown['balances'], [
      { provider: 'a', account: 'provider_clearing', before: brl('0'), after: brl('-500') },
      { provider: 'a', account: 'available', before: brl('0'), after: brl('500') },
    ]);
    await gateway.fails(1, /the cash box does not cover it/, ...order('settle', '1'), '--dry-run');
    const asked = `SELECT 1 FROM approval_request WHERE operation_id = $1 AND kind = 'cash_movement'`;
    assert.equal((await gateway.rows(asked, operation)).length, 0);
    assert.equal(await entries(), 0);
  });

  it('refuses a text that is no amount, and an unknown operation', async () => {
    for (const amount of ['0', '1.5']) await gateway.fails(2, /AMOUNT: must be/, ...order('fund', amount));
    await gateway.fails(2, /--document: say where/, ...order('fund', '5', '--document', ' '));
    await gateway.fails(1, /eva: has no role/, ...order('fund', '5'), '--as', 'eva');
    operation = 'op_0123456789abcdef0123456789abcdef';
    await ana?.fails(1, /there is no such operation/, ...order('fund', '5'));
  });

  it('a movement names two people, and the check finds one without its entries', async () => {
    await done('fund', '500');
    const insert = (people: string) =>
      gateway.rows(
        `INSERT INTO cash_movement (id, operation_id, provider, kind, currency, amount_minor, document, reason, requested_by,
          approved_by, request_id) VALUES ('csh_1', $1, 'simulator', 'funding', 'BRL', 7, 'd', 'r', ${people})`,
        operation,
      );
    const [{ id }] = (await gateway.rows(
      'SELECT id FROM approval_request WHERE operation_id = $1 LIMIT 1',
      operation,
    )) as [{ id: string }];
    await assert.rejects(insert(`'ana', 'ana', '${id}'`), /cash_movement_people_check/);
    await assert.rejects(insert(`'ana', 'ben', NULL`), /cash_movement_people_check/);
    await gateway.rows('BEGIN');
    await insert(`'ana', NULL, NULL`);
    await gateway.rows('COMMIT');
    const { exitCode, stdout } = await gateway.run('ledger', 'verify', '--operation', operation);
    const { problems } = JSON.parse(stdout) as { problems: Record<string, string>[] };
    assert.equal(exitCode, 1);
    assert.deepEqual(
      problems.map(({ kind, subject, expected_minor: expected }) => [kind, subject, expected]),
      [['cash_box_differs', 'csh_1', '7']],
    );
    await gateway.rows(`ALTER TABLE cash_movement DISABLE TRIGGER USER`);
    await gateway.rows(`DELETE FROM cash_movement WHERE id = 'csh_1'`);
    await gateway.rows(`ALTER TABLE cash_movement ENABLE TRIGGER USER`);
  });
});
