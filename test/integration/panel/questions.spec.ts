// Questions about an operator's payments: the people of its desk read and answer them, and see nothing besides.
import assert from 'node:assert/strict';
import { insertDeposit, insertPlayer, insertWithdrawal, PERSONAL } from '../cli/payments.js';
import { firstCounters } from './counters.js';
import { createPanelWorld, type PanelWorld, type Person } from './world.js';

type Json = Record<string, unknown>;
interface Asked extends Json {
  readonly id: string;
  readonly question: string;
  readonly asked: readonly { readonly text: string; readonly at: string }[];
}

describe('panel: questions to the operator', function () {
  this.timeout(60_000);
  let world: PanelWorld;
  let own: string;
  let other: string;
  let rita: Person;
  let dora: Person;
  let caio: Person;
  let elsewhere: Person;
  let id: string;

  before(async () => {
    world = await createPanelWorld();
    [own, other] = [
      (await world.gateway.operation())['operation_id'],
      (await world.gateway.operation())['operation_id'],
    ];
    await insertPlayer(world.gateway, own);
    rita = await world.person('rita', ['reviewer']);
    dora = await world.person('dora', [{ role: 'operator_desk', operationId: own }]);
    caio = await world.person('caio', [{ role: 'operator_desk', operationId: own }]);
    elsewhere = await world.person('elsewhere', [{ role: 'operator_desk', operationId: other }]);
  });
  after(() => world.close());
  beforeEach(async () => {
    id = await waiting();
  });

  const waiting = (operation = own) => {
    const reasons = ['FIRST_WITHDRAWAL'];
    return insertWithdrawal(world.gateway, operation, { status: 'under_review', amount: '123400', reasons });
  };
  const work = (body: object, payment = id) => rita.post(`/cases/${payment}/work`, body);
  const ask = async (text: string, payment = id) =>
    assert.equal((await work({ act: 'ask', text }, payment)).status, 200);
  const read = async (person = dora) => {
    const { body } = await person.get('/questions');
    return { open: body['open'] as Asked[], answered: body['answered'] as (Asked & Json)[], more: body['more'] };
  };
  /** The open question about the payment, as the person sees it. */
  const found = async (person = dora, payment = id) => (await read(person)).open.find((one) => one.id === payment);
  const answer = (question: string | undefined, text = 'verified on 3 November', person = dora, payment = id) =>
    person.post(`/questions/${payment}/answer`, { question, text });
  const entries = () =>
    world.gateway.rows(
      `SELECT person, action, operation_id, detail::json->>'reason' AS reason, detail::json->>'by' AS by
       FROM audit_entry WHERE subject = $1 ORDER BY sequence`,
      id,
    );

  it('the stream counts open questions, for whom they are', async () => {
    const counted = async (person: Person) => (await firstCounters(world, person))['questions'];
    const before = Number(await counted(dora));
    await ask('is the account verified?');
    assert.deepEqual([await counted(dora), await counted(elsewhere), await counted(rita)], [before + 1, 0, 0]);
    await answer((await found())?.question);
    assert.equal(await counted(dora), before);
  });

  it('the desk reads the question with the payment as it knows it, and nothing besides', async () => {
    assert.equal(await found(), undefined, 'nobody asked yet');
    await work({ act: 'note', text: 'looks like a ring' });
    await ask('is the account verified?');
    const shown = await found();
    const [row] = await world.gateway.rows('SELECT external_id FROM withdrawal WHERE id = $1', id);
    const [operation] = await world.gateway.rows('SELECT name FROM operation WHERE id = $1', own);
    assert.deepEqual(shown, {
      id,
      kind: 'withdrawal',
      operation: { id: own, name: operation?.['name'], time_zone: 'America/Sao_Paulo' },
      external_id: row?.['external_id'],
      amount: { amount: '123400', currency: 'BRL' },
      asked: [{ text: 'is the account verified?', at: shown?.asked[0]?.at }],
      question: shown?.question,
    });
    assert.ok(Math.abs(Date.parse(String(shown.asked[0]?.at)) - Date.now()) < 20_000);
    const { text } = await dora.get('/questions');
    for (const secret of [
      'rita',
      'ring',
      'FIRST_WITHDRAWAL',
      'player-1',
      PERSONAL.document,
      PERSONAL.name,
      PERSONAL.key,
    ])
      assert.ok(!text.includes(secret), secret);
    await ask('and since when?');
    assert.deepEqual(
      (await found())?.asked.map((one) => one.text),
      ['is the account verified?', 'and since when?'],
    );
  });

  for (const [by, answers] of [
    ['the desk', async () => answer((await found())?.question)],
    ['staff, who note it', () => work({ act: 'answer', text: 'verified by phone' })],
  ] as const)
    it(`a case that was put off is in the queue again once ${by} answered`, async () => {
      await ask('is the account verified?');
      await work({ act: 'snooze', hours: 4, text: 'the operator is asked' });
      const isShown = async () =>
        (await rita.get(`/queue?operation=${own}`)).body['items'].some((item: { id: string }) => item.id === id);
      assert.equal(await isShown(), false);
      assert.equal((await answers()).status, 200);
      assert.equal(await isShown(), true);
      assert.equal((await rita.get(`/cases/${id}`)).body['work'].snoozed_until, null);
    });

  it('it is answered once: staff read the answer as the operator’s, and the audit trail has it', async () => {
    await ask('is the account verified?');
    const question = (await found())?.question;
    assert.deepEqual((await answer(question)).body, { answered: true });
    assert.equal(await found(), undefined);
    for (const person of [dora, caio]) {
      const late = await answer(question, 'another answer', person);
      assert.deepEqual([late.status, late.body['code']], [409, 'stale']);
    }
    const { notes, is_asked: isAsked } = (await rita.get(`/cases/${id}`)).body['work'] as { notes: Json[] } & Json;
    assert.deepEqual(
      [isAsked, notes.map((note) => [note['act'], note['person'], note['text'], note['is_operators']])],
      [
        false,
        [
          ['answer', 'dora', 'verified on 3 November', true],
          ['ask', 'rita', 'is the account verified?', false],
        ],
      ],
    );
    assert.deepEqual(await entries(), [
      { person: 'rita', action: 'case.ask', operation_id: own, reason: 'is the account verified?', by: null },
      { person: 'dora', action: 'case.answer', operation_id: own, reason: 'verified on 3 November', by: 'operator' },
    ]);
    for (const [person, isYours] of [
      [dora, true],
      [caio, false],
    ] as const) {
      const [last] = (await read(person)).answered;
      assert.deepEqual(
        [last?.id, last?.asked.map(({ text }) => text), last?.['answer'], last?.['is_yours'], 'person' in (last ?? {})],
        [id, ['is the account verified?'], 'verified on 3 November', isYours, false],
      );
    }
  });

  it('two people of the desk at the same moment: one answer', async () => {
    await ask('is the account verified?');
    const question = (await found())?.question;
    const sent = [answer(question, 'yes, it is', dora), answer(question, 'no, it is not', caio)];
    assert.deepEqual((await Promise.all(sent)).map(({ status }) => status).sort(), [200, 409]);
    assert.equal((await entries()).length, 2);
  });

  it('an answer is to what the person saw: not to what staff asked since, or noted the answer of', async () => {
    await ask('is the account verified?');
    const first = (await found())?.question;
    await ask('what does the player say?');
    assert.equal((await answer(first)).body['code'], 'stale');
    const second = (await found())?.question;
    await work({ act: 'answer', text: 'said by telephone: a gift' });
    assert.equal(await found(), undefined);
    assert.equal((await answer(second)).body['code'], 'stale');
    assert.ok(!(await dora.get('/questions')).text.includes('telephone'), 'what staff noted is theirs');
    await ask('a gift from whom?');
    assert.deepEqual(
      (await found())?.asked.map(({ text }) => text),
      ['a gift from whom?'],
    );
    assert.equal((await answer((await found())?.question, 'from a brother')).status, 200);
  });

  it('a question is closed once the payment is decided; one about a decided payment is open until it changes', async () => {
    await ask('is the account verified?');
    const question = (await found())?.question;
    const become = (status: string) =>
      world.gateway.rows('UPDATE withdrawal SET status = $2, version = version + 1 WHERE id = $1', id, status);
    await become('approved');
    assert.equal(await found(), undefined);
    assert.equal((await answer(question)).body['code'], 'stale');
    await ask('did the player complain?');
    assert.equal((await found())?.id, id);
    await become('processing');
    assert.equal(await found(), undefined);
  });

  it('only an answer is the operator’s, and a question alone has a version of its payment', async () => {
    const insert = (act: string, columns: string, value: string) =>
      world.gateway.rows(
        `INSERT INTO case_note (payment_id, operation_id, act, text, person, ${columns})
         VALUES ($1, $2, $3, 'a text', 'rita', ${value})`,
        ...[id, own, act],
      );
    await assert.rejects(insert('note', 'is_operators', 'true'), /case_note_is_operators_check/);
    await assert.rejects(insert('answer', 'payment_version', '1'), /case_note_payment_version_check/);
    await assert.rejects(insert('ask', 'payment_version', 'NULL'), /case_note_payment_version_check/);
    await insert('answer', 'is_operators', 'true');
  });

  it('another operation’s do not exist; staff note answers on the case instead; a role that ends ends at once', async () => {
    await ask('is the account verified?');
    const question = (await found())?.question;
    assert.deepEqual(await read(elsewhere), { open: [], answered: [], more: false });
    const foreign = await answer(question, 'not ours', elsewhere);
    assert.deepEqual([foreign.status, foreign.body['code']], [404, 'not_found']);
    assert.equal((await answer(question, 'for them', rita)).body['code'], 'not_permitted');
    assert.equal((await rita.get('/questions')).body['code'], 'not_permitted');
    for (const path of ['/queue', `/cases/${id}`, `/payments/${id}`, `/operations/${own}`, '/operations', '/shift'])
      assert.equal((await dora.get(path)).body['code'], 'not_permitted', path);
    assert.equal((await dora.post(`/cases/${id}/work`, { act: 'answer', text: 'by hand' })).status, 403);
    await world.gateway.rows(`DELETE FROM staff_role WHERE staff_handle = 'caio'`);
    assert.equal((await answer(question, 'too late', caio)).body['code'], 'not_permitted');
    assert.deepEqual(
      (await entries()).map(({ action }) => action),
      ['case.ask'],
    );
  });

  it('an answer is one line of 3 to 500 characters without personal data', async () => {
    const deposit = await insertDeposit(world.gateway, own, { status: 'under_review', reasons: ['PAYER_MISMATCH'] });
    await ask('who paid?', deposit);
    const shown = await found(dora, deposit);
    assert.equal(shown?.['kind'], 'deposit');
    for (const text of ['', 'ok', 'a\nb', 'x'.repeat(501), `the CPF is ${PERSONAL.document}`, 'ana@example.com paid'])
      assert.equal((await answer(shown.question, text, dora, deposit)).body['code'], 'invalid', text);
    assert.equal((await answer('0', 'a friend', dora, deposit)).body['code'], 'invalid');
    assert.equal((await answer(shown.question, 'x'.repeat(500), dora, deposit)).status, 200);
  });
});
