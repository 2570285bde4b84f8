// Decisions on real payments, explained: the whole gateway decides, the `gateway` command says why and what would have
// passed, every digest comes out the same again, and a change of rules is judged by them. The API shows operators none
// of it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProblemError } from '../../../../client/index.js';
import type { RuleChangeReport } from '../../../../domain/rules/proof/report.js';
import { newDeposit, newPlayer, newWithdrawal, once } from '../../../../lab/harness/payments.js';
import type { Stack } from '../../../../lab/harness/stack.js';
import type { OpenStack } from './open-stack.js';
import { eventually } from '../../../../lab/harness/eventually.js';

const RULES = { auto_max_per_withdrawal: '18000', first_withdrawal_manual: false, auto_multiplier: '10' };

interface Explained {
  readonly outcome: { readonly kind: string };
  readonly would_have_passed: readonly string[];
  readonly reproduced: boolean;
}

export const decisionsTests = (openStack: OpenStack) =>
  describe('decisions, end to end', function () {
    this.timeout(240_000);
    let stack: Stack;
    let folder: string;
    let [automatic, reviewed] = ['', ''];
    const player = newPlayer();

    before(async () => {
      stack = await openStack();
      folder = mkdtempSync(join(tmpdir(), 'decisions-'));
      await stack.gateway('rules', 'set', '--operation', stack.operation.operation_id, file(RULES), '--as', 'ana');
      const { id } = (await stack.client.createDeposit(newDeposit('100000', player), once())).body;
      await stack.client.sandbox.payDeposit(id, once());
      await stack.receiver.waitFor(id, 'deposit.paid', 20_000);
      automatic = (await stack.client.createWithdrawal(newWithdrawal(player, '9000'), once())).body.id;
      reviewed = (await stack.client.createWithdrawal(newWithdrawal(player, '19000'), once())).body.id;
    });
    after(async () => {
      rmSync(folder, { recursive: true, force: true });
      await stack.close();
    });

    function file(brl: object, engine?: object): string {
      const path = join(folder, `${randomUUID()}.json`);
      writeFileSync(
        path,
        JSON.stringify({
          currencies: { BRL: brl },
          ...(engine === undefined ? {} : { engine: { currencies: { BRL: engine } } }),
        }),
      );
      return path;
    }

    /** A change's proof, once the worker has computed it. */
    async function proofOf(
      id: string,
    ): Promise<{ readonly digest: string; readonly is_intact: boolean; readonly report: RuleChangeReport }> {
      const proof = await eventually(
        async () => (await stack.gateway('rules', 'changes', 'show', id))['proof'],
        `a report of ${id}`,
      );
      return proof as Awaited<ReturnType<typeof proofOf>>;
    }

    it('decision show says why and up to what amount it would have been automatic', async () => {
      const decisions = (await stack.gateway('decision', 'show', reviewed))['decisions'] as Explained[];
      assert.deepEqual(
        decisions.map(({ outcome, would_have_passed: passed, reproduced }) => [outcome.kind, passed, reproduced]),
        [['review', ['automatic up to R$ 180,00'], true]],
      );
      const [first] = (await stack.gateway('decision', 'show', automatic))['decisions'] as Explained[];
      assert.deepEqual([first?.outcome.kind, first?.would_have_passed, first?.reproduced], ['automatic', [], true]);
    });

    it('what only time would have helped says from when', async () => {
      await stack.gateway(
        'rules',
        'set',
        '--operation',
        stack.operation.operation_id,
        file(RULES, { velocity: { window_minutes: 60, review_above: 2 } }),
        '--as',
        'ana',
      );
      const fast = (await stack.client.createWithdrawal(newWithdrawal(player, '2000'), once())).body.id;
      const [third] = (await stack.gateway('decision', 'show', fast))['decisions'] as Explained[];
      assert.deepEqual([third?.outcome.kind, third?.would_have_passed.length], ['review', 1]);
      assert.match(
        third?.would_have_passed[0] ?? '',
        /^automatic after \d{4}-\d{2}-\d{2} \d{2}:\d{2} \(America\/Sao_Paulo\)$/,
      );
    });

    it('every stored decision evaluates to its digest again, whatever rule set version decided it', async () => {
      const replay = await stack.gateway('decision', 'replay', '--operation', stack.operation.operation_id);
      assert.deepEqual([replay['ok'], replay['decisions'], replay['not_reproduced']], [true, replay['reproduced'], []]);
      assert.ok(Number(replay['decisions']) >= 5);
      const strict = await stack.gateway(
        'decision',
        'replay',
        '--operation',
        stack.operation.operation_id,
        '--ruleset',
        '1',
      );
      assert.equal(strict['ok'], true);
    });

    it('a proposed change carries what it would have done with these payments, and its digest is what is approved', async () => {
      const { headers } = await stack.client.rules();
      const proposed = { version: 1, currencies: { BRL: { ...RULES, auto_max_per_withdrawal: '20000' } } };
      const { body } = await stack.client.requestRuleChange(
        { rules: proposed, justification: 'fewer reviews' },
        { idempotencyKey: randomUUID(), ifMatch: String(headers['etag']) },
      );
      assert.deepEqual(body, { id: body.id, status: 'pending_approval' }, 'the operator gets no more than documented');
      const proof = await proofOf(body.id);
      const toAutomatic = proof.report.flips.filter(({ to }) => to === 'automatic');
      assert.deepEqual(
        [proof.is_intact, toAutomatic.map(({ from, players, examples }) => [from, players, examples[0]?.object_id])],
        [true, [['review', 1, reviewed]]],
      );
      assert.deepEqual(proof.report.from_review.amount_minor, toAutomatic[0]?.amount_minor);
      for (const person of ['cleo', 'dora']) {
        const approve = () =>
          stack.gateway('rules', 'changes', 'approve', body.id, '--as', person, '--digest', proof.digest);
        // The report is stored a moment before its workflow learns of it.
        await eventually(async () => approve().then(() => true, isComputing), `${person} approves`);
      }
      assert.equal((await stack.client.rules()).body.currencies['BRL']?.['auto_max_per_withdrawal'], '20000');
    });

    it('rules set --preview shows the same of a file, and stores nothing', async () => {
      const { body: before } = await stack.client.rules();
      const preview = await stack.gateway(
        'rules',
        'set',
        '--operation',
        stack.operation.operation_id,
        file({ ...RULES, withdrawal_max: '1' }),
        '--preview',
      );
      const { flips } = preview['report'] as RuleChangeReport;
      assert.ok(flips.some(({ from, to }) => from === 'automatic' && to === 'refuse'));
      assert.deepEqual((await stack.client.rules()).body, before);
    });

    it('the API is no oracle: a listed player gets the documented refusal, and a withdrawal shows codes only', async () => {
      const blocked = newPlayer();
      await stack.gateway(
        'list',
        'add',
        '--operation',
        stack.operation.operation_id,
        '--list',
        'block',
        '--kind',
        'document',
        blocked.document.number,
      );
      await assert.rejects(stack.client.createWithdrawal(newWithdrawal(blocked), once()), (error: unknown) => {
        assert.ok(error instanceof ProblemError);
        assert.deepEqual([error.status, error.code, error.errors], [422, 'player_blocked', []]);
        return true;
      });
      const { decision } = (await stack.client.getWithdrawal(reviewed)).body;
      assert.deepEqual(Object.keys(decision).sort(), [
        'decided_at',
        'decided_by',
        'mode',
        'reasons',
        'ruleset_version',
      ]);
      assert.deepEqual(decision.reasons, ['AUTO_MAX_PER_WITHDRAWAL_EXCEEDED']);
    });
  });

/** False while the report is being computed; throws any other refusal. */
function isComputing(error: unknown): false {
  if (String(error).includes('is being computed')) return false;
  throw error;
}
