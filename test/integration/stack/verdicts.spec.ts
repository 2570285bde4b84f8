// What the client says about a payment after a refusal, held against the whole gateway: after a withdrawal was paid,
// no way in which a repeat of it can be refused lets its reserve go; and where the client says that a payment is
// decided, there is none.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { NewWithdrawal, Verdict } from '../../../client/index.js';
import { verdictOf } from '../../../client/repetition.js';
import { VERDICT_TABLE } from '../../../contract/http/verdicts.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../../lab/harness/payments.js';
import { type Stack, startStack } from '../../../lab/harness/stack.js';
import { type Answer, send, sign, type Signed } from '../api-pipeline/harness.js';

function rulesFile(folder: string): string {
  const path = join(folder, 'rules.json');
  writeFileSync(path, JSON.stringify({ currencies: { BRL: { withdrawal_min: '500', withdrawal_max: '500000' } } }));
  return path;
}

const DELETED_WITHIN_MS = 100_000;

describe('verdicts, against the whole gateway', function () {
  this.timeout(120_000);
  let stack: Stack;
  let sql: pg.Pool;
  const player = newPlayer();
  const withdrawal: NewWithdrawal = newWithdrawal(player, '3000');
  const { idempotencyKey } = once();
  let id = '';
  /** Codes that were met with the verdict "payment decided". */
  const decided = new Set<string>();

  before(async () => {
    stack = await startStack({ variables: { SANDBOX_WITHDRAWALS_PER_PLAYER_AND_HOUR: '2' } });
    await stack.gateway(
      'rules',
      'set',
      '--operation',
      stack.operation.operation_id,
      rulesFile(stack.folder),
      '--as',
      'ana',
    );
    sql = new pg.Pool({ connectionString: stack.databaseUrl, max: 2 });
    const { id: deposit } = (await stack.client.createDeposit(newDeposit('100000', player), once())).body;
    await stack.client.sandbox.payDeposit(deposit, once());
    await stack.receiver.waitFor(deposit, 'deposit.paid', 20_000);
    id = (await stack.client.createWithdrawal(withdrawal, { idempotencyKey })).body.id;
    await stack.client.sandbox.withdrawal(id, 'approve', once());
    await stack.client.sandbox.withdrawal(id, 'pay', once());
    await stack.receiver.waitFor(id, 'withdrawal.paid', 20_000);
  });
  after(async () => {
    await sql?.end();
    await stack?.close();
  });

  const key = () => ({
    keyId: stack.operation.key_id,
    secret: stack.operation.secret,
    operationId: stack.operation.operation_id,
  });
  const port = () => Number(new URL(stack.baseUrl).port);
  const bytesOf = (body: unknown) => JSON.stringify(body);

  /** The creation once more, with its key and its bytes, but for `changed`. */
  function repeat({ headers = {}, ...changed }: Signed = {}): Promise<Answer> {
    return send(
      port(),
      sign({
        key: key(),
        method: 'POST',
        target: '/v1/withdrawals',
        body: bytesOf(withdrawal),
        headers: { 'Idempotency-Key': idempotencyKey, ...headers },
        ...changed,
      }),
    );
  }

  function verdict({ status, json }: Answer): Verdict {
    const { code, retryable, errors = [] } = json as { code: string; retryable: boolean; errors?: { field: string }[] };
    return verdictOf({ status, code, retryable, errors }, 'create');
  }

  /** As after a crash of the api between the payment and the record of its answer. */
  const loseRecord = () =>
    sql.query(
      `UPDATE idempotency_key SET state = 'running', locked_at = now() - interval '31 seconds', response_status ` +
        `= NULL, response_headers = NULL, response_sealed = NULL WHERE key = $1`,
      [idempotencyKey],
    );

  async function during<T>(begin: string, end: string, run: () => Promise<T>): Promise<T> {
    await sql.query(begin, [stack.operation.operation_id]);
    try {
      return await run();
    } finally {
      await sql.query(end, [stack.operation.operation_id]);
    }
  }

  it('a body rebuilt after a crash with one changed field is refused; the paid withdrawal keeps its reserve', async () => {
    const rebuilt = { ...withdrawal, metadata: { note: 'rebuilt' } };
    await assert.rejects(stack.client.createWithdrawal(rebuilt, { idempotencyKey }), {
      code: 'idempotency_key_reused',
      verdict: 'nothing_known',
      conclusive: false,
    });
    assert.equal((await stack.client.getWithdrawal(id)).body.status, 'paid');
    const again = await stack.client.createWithdrawal(withdrawal, { idempotencyKey });
    assert.deepEqual([again.body.id, again.replayed], [id, true], 'the stored bytes get the first answer');
  });

  describe('no refusal of a repeat of a paid withdrawal releases its reserve', () => {
    const cases: Readonly<
      Record<string, readonly [status: number, code: string, verdict: Verdict, ask: () => Promise<Answer>]>
    > = {
      'a rebuilt body that is invalid': [
        409,
        'idempotency_key_reused',
        'nothing_known',
        () => repeat({ body: bytesOf({ ...withdrawal, amount: 30 }) }),
      ],
      'a rebuilt body that is no JSON': [409, 'idempotency_key_reused', 'nothing_known', () => repeat({ body: '{' })],
      'a query': [409, 'idempotency_key_reused', 'nothing_known', () => repeat({ target: '/v1/withdrawals?a=1' })],
      'a Content-Type that was changed on the way': [
        400,
        'validation_failed',
        'nothing_known',
        async () => (await loseRecord(), repeat({ headers: { 'Content-Type': 'text/plain' } })),
      ],
      'a new key for the same external_id': [
        409,
        'duplicate_external_id',
        'payment_exists',
        () => repeat({ headers: { 'Idempotency-Key': once().idempotencyKey } }),
      ],
      'a suspended operation': [
        403,
        'operation_suspended',
        'nothing_known',
        () =>
          during(
            `UPDATE operation SET status = 'suspended' WHERE id = $1`,
            `UPDATE operation SET status = 'active' WHERE id = $1`,
            () => repeat(),
          ),
      ],
      'a repeat while the first attempt runs': [
        409,
        'idempotency_in_progress',
        'repeat',
        () =>
          during(
            `UPDATE idempotency_key SET state = 'running', locked_at = now(), response_status = NULL, ` +
              `response_sealed = NULL WHERE operation_id = $1`,
            `UPDATE idempotency_key SET locked_at = now() - interval '31 seconds' WHERE operation_id = $1`,
            () => repeat(),
          ),
      ],
    };

    for (const [title, [status, code, expected, ask]] of Object.entries(cases)) {
      it(`${title}: ${status} ${code}, ${expected}`, async () => {
        const answer = await ask();
        assert.deepEqual([answer.status, answer.code, verdict(answer)], [status, code, expected], answer.text);
      });
    }

    it(
      'the record of the answer lost, the workflow’s history gone, and rules that would refuse it now: the ' +
        'withdrawal, not a refusal',
      async () => {
        await loseRecord();
        const { client, namespace } = stack.temporal;
        const execution = { workflowId: id };
        await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: execution });
        const isGone = () =>
          client.workflowService.describeWorkflowExecution({ namespace, execution }).then(
            () => false,
            () => true,
          );
        // The server deletes after its own tasks about the run, which it repeats with growing pauses.
        await eventually(isGone, 'the history is gone', DELETED_WITHIN_MS);
        await stack.gateway(
          'list',
          'add',
          player.external_ref,
          '--operation',
          stack.operation.operation_id,
          '--list',
          'block',
          '--kind',
          'player',
          '--as',
          'ana',
        );
        const answer = await repeat();
        assert.deepEqual([answer.status, answer.json?.['id'], answer.json?.['status']], [201, id, 'paid'], answer.text);
      },
    );
  });

  describe('where the payment is decided there is none, and a repeat gets the same refusal', () => {
    const fresh = (changed: object = {}) => ({ ...newWithdrawal(newPlayer(), '1000'), ...changed });
    const brl = (amount: string) => ({ amount, currency: 'BRL' });
    const cases: Readonly<Record<string, readonly [row: string, body: () => object]>> = {
      'a field that is not known': ['validation_failed_body', () => fresh({ status: 'paid' })],
      'another currency': ['currency_not_enabled', () => fresh({ amount: { amount: '1000', currency: 'USD' } })],
      'another method': ['method_not_enabled', () => fresh({ method: 'wire', destination: { wire: {} } })],
      'too little': ['amount_below_minimum', () => fresh({ amount: brl('1') })],
      'too much': ['amount_above_maximum', () => fresh({ amount: brl('9'.repeat(12)) })],
      'a passport': [
        'document_invalid',
        () => fresh({ player: { ...newPlayer(), document: { type: 'PASSPORT', number: 'X1', country: 'BR' } } }),
      ],
      'another’s CPF as key': [
        'document_mismatch',
        () => fresh({ destination: { pix: { key_type: 'cpf', key: newPlayer().document.number } } }),
      ],
      'a player on a block list': [
        'player_blocked',
        () => newWithdrawal({ ...newPlayer(), external_ref: 'blocked-player' }),
      ],
      'a PIX key on a block list': [
        'destination_blocked',
        () => fresh({ destination: { pix: { key_type: 'email', key: 'blocked@player.test' } } }),
      ],
      'more than there is': ['insufficient_operation_balance', () => fresh({ amount: brl('400000') })],
    };
    before(async () => {
      for (const [kind, value] of [
        ['player', 'blocked-player'],
        ['pix_key', 'blocked@player.test'],
      ] as const) {
        await stack.gateway(
          'list',
          'add',
          value,
          '--operation',
          stack.operation.operation_id,
          '--list',
          'block',
          '--kind',
          kind,
          '--as',
          'ana',
        );
      }
    });
    for (const [title, [row, body]] of Object.entries(cases)) {
      it(`${title}: ${row}`, async () => {
        const request = {
          key: key(),
          method: 'POST',
          target: '/v1/withdrawals',
          body: bytesOf(body()),
          headers: { 'Idempotency-Key': once().idempotencyKey },
        };
        const [first, second] = [await send(port(), sign(request)), await send(port(), sign(request))];
        assert.equal(verdict(first), 'payment_decided', first.text);
        assert.equal(row.replace(/_(body|other|too_large)$/, ''), first.code);
        assert.deepEqual([second.text, second.headers['idempotent-replayed']], [first.text, 'true']);
        const { external_id: externalId } = JSON.parse(request.body) as { external_id: string };
        assert.deepEqual((await stack.client.listWithdrawals({ external_id: externalId })).body.data, []);
        decided.add(row);
      });
    }

    it('every row that decides was met, but the one that needs a history of the player', () => {
      const rows = Object.entries(VERDICT_TABLE)
        .filter(([, { create }]) => create === 'payment_decided')
        .map(([row]) => row);
      assert.deepEqual(
        rows.filter((row) => !decided.has(row)),
        ['velocity_exceeded'],
      );
    });
  });
});
