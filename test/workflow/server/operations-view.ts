// What operations staff read in the Temporal UI: summary, current details and search attributes, in each waiting
// state.
import assert from 'node:assert/strict';
import { SEARCH_ATTRIBUTES, type WaitingFor } from '../../../contract/temporal/search-attributes.js';
import { ruleChangeQuery } from '../../../contract/temporal/rule-change.js';
import type { DepositCase } from '../harness/deposit-case.js';
import { eventually } from '../../../lab/harness/eventually.js';
import type { Gateway } from '../harness/gateway.js';
import { PLANTED } from '../harness/persons.js';
import { proposeRuleChange } from '../harness/rule-change-case.js';
import type { WithdrawalCase } from '../harness/withdrawal-case.js';

type Case = DepositCase | WithdrawalCase;

interface Row<One extends Case> {
  readonly title: string;
  readonly arrange: (one: One) => Promise<unknown>;
  readonly status: string;
  readonly waitingFor: WaitingFor;
  readonly reviewReasons?: readonly string[];
  /** What the list says of the operator's own reasons. */
  readonly operatorReasons?: readonly string[];
  /** What the line in the current details says besides. */
  readonly says: readonly (string | RegExp)[];
}

const INSTANT = '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z';

export function operationsViewTests(gateway: Gateway): void {
  describe('what operations staff see', () => {
    async function currentDetails(one: Case): Promise<string> {
      const metadata = await one.handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
      return metadata.currentDetails ?? '';
    }

    async function expectView<One extends Case>(
      kind: 'deposit' | 'withdrawal',
      one: One,
      row: Row<One>,
    ): Promise<void> {
      await row.arrange(one);
      await eventually(async () => (await currentDetails(one)).startsWith(`**${row.status}**`), row.status);
      const line = await currentDetails(one);
      for (const words of row.says) assert.match(line, typeof words === 'string' ? new RegExp(escaped(words)) : words);
      const awaited = `waits for \\*\\*${row.waitingFor.replaceAll('_', ' ')}\\*\\* since ${INSTANT} · (next|now): `;
      if (row.waitingFor !== 'nothing') assert.match(line, new RegExp(awaited));
      assert.doesNotMatch(line, /\n/, 'one line');

      const description = await one.handle.describe();
      const attribute = (key: (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES]) =>
        description.typedSearchAttributes.get(key);
      const { operationId, externalId, amountMinor } = one.order;
      assert.deepEqual(
        {
          status: attribute(SEARCH_ATTRIBUTES.PaymentStatus),
          waitingFor: attribute(SEARCH_ATTRIBUTES.WaitingFor),
          reasons: attribute(SEARCH_ATTRIBUTES.ReviewReasons) ?? [],
          kind: attribute(SEARCH_ATTRIBUTES.PaymentKind),
          operationId: attribute(SEARCH_ATTRIBUTES.OperationId),
          externalId: attribute(SEARCH_ATTRIBUTES.ExternalId),
          amount: attribute(SEARCH_ATTRIBUTES.AmountMinor),
        },
        {
          status: row.status,
          waitingFor: row.waitingFor,
          reasons: row.reviewReasons ?? [],
          kind,
          operationId,
          externalId,
          amount: Number(amountMinor),
        },
      );
      const reasons = [...(row.reviewReasons ?? []), ...(row.operatorReasons ?? [])];
      const amount = kind === 'deposit' ? 'R$ 50,00' : 'R$ 30,00';
      const listed = [amount, 'acme', ...(reasons.length === 0 ? [] : [reasons.join(', ')])].join(' · ');
      assert.equal(attribute(SEARCH_ATTRIBUTES.Summary), listed);
      const summary = await description.staticSummary();
      assert.equal(summary, kind === 'deposit' ? 'deposit R$ 50,00 · op acme' : 'withdrawal R$ 30,00 · op acme');
      const visible = JSON.stringify([
        line,
        summary,
        description.raw.workflowExecutionInfo?.searchAttributes,
        description.raw.workflowExecutionInfo?.memo,
      ]);
      for (const personal of Object.values(PLANTED)) assert.ok(!visible.includes(personal));
    }

    const deposits: readonly Row<DepositCase>[] = [
      {
        title: 'created: the provider has not answered',
        arrange: async (deposit) => {
          deposit.charge.isSilent = true;
          const creation = deposit.create();
          await eventually(() => deposit.charge.creationAttempts > 0, 'asked');
          await gateway.sleep(8);
          await creation;
        },
        status: 'created',
        waitingFor: 'provider_charge',
        says: [
          new RegExp(`now: the provider is asked until it answers since ${INSTANT}; tries so far: Pending Activities`),
          new RegExp(`next: operations staff are alerted at ${INSTANT}`),
        ],
      },
      {
        title: 'under_review: the reasons are searchable',
        arrange: async (deposit) => {
          await deposit.create();
          await deposit.pay({ payerMatch: 'mismatch', amountMinor: 1n });
        },
        status: 'under_review',
        waitingFor: 'review',
        reviewReasons: ['PAYER_MISMATCH', 'AMOUNT_MISMATCH'],
        says: ['PAYER_MISMATCH, AMOUNT_MISMATCH', 'a person approves or returns it'],
      },
      {
        title: 'under_review: on its way back to the payer',
        arrange: async (deposit) => {
          await deposit.create();
          await deposit.pay({ payerMatch: 'mismatch' });
          deposit.charge.isSilent = true;
          deposit.review('return').catch(() => undefined);
          await eventually(() => deposit.charge.returns > 0, 'the return is asked for');
        },
        status: 'under_review',
        waitingFor: 'return_to_payer',
        reviewReasons: ['PAYER_MISMATCH'],
        says: [new RegExp(`now: the provider is asked until the return is done since ${INSTANT}`)],
      },
      {
        title: 'refunded: the reopened run is as findable as the first',
        arrange: async (deposit) => {
          await deposit.create();
          await deposit.pay();
          await eventually(async () => (await deposit.handle.describe()).status.name === 'COMPLETED', 'ended');
          deposit.reverseAtProvider('refund');
          await deposit.refresh();
        },
        status: 'refunded',
        waitingFor: 'nothing',
        says: ['nothing is awaited'],
      },
    ];
    for (const row of deposits) it(`deposit ${row.title}`, () => expectView('deposit', gateway.newDeposit(), row));

    const withdrawals: readonly Row<WithdrawalCase>[] = [
      {
        title: 'requested: DICT does not answer, with the last error',
        arrange: async (withdrawal) => {
          withdrawal.ruling.withdrawal.keyHolder = 'in_directory';
          withdrawal.payout.keyOwner = 'unavailable';
          await withdrawal.create();
          await gateway.sleep(10);
        },
        status: 'requested',
        waitingFor: 'key_owner',
        says: [
          new RegExp(`DICT is asked again at ${INSTANT}`),
          new RegExp(`last error: DICT does not answer \\(http_503\\) \\(${INSTANT}\\)`),
        ],
      },
      {
        title: 'approved: outside the automatic hours',
        arrange: async (withdrawal) => {
          const opens = await gateway.now(7200);
          Object.assign(withdrawal.ruling.thresholds, {
            timezone: 'UTC',
            autoHours: { from: opens.slice(11, 16), to: (await gateway.now(9000)).slice(11, 16) },
          });
          await withdrawal.create();
          await eventually(async () => (await currentDetails(withdrawal)).includes('automatic hours'), 'the wait');
        },
        status: 'approved',
        waitingFor: 'automatic_hours',
        says: [new RegExp(`checked again \\(the window opens at ${INSTANT}\\) at ${INSTANT}`)],
      },
      {
        title: 'approved: the send’s outcome is unknown',
        arrange: async (withdrawal) => {
          withdrawal.payout.sendAnswers.push('times_out_lost');
          await withdrawal.create();
          await eventually(async () => (await currentDetails(withdrawal)).includes('unknown'), 'the wait');
        },
        status: 'approved',
        waitingFor: 'payout_reply',
        says: [
          new RegExp(`looked up by its reference at ${INSTANT}`),
          'last error: the outcome of the send is unknown (timeout)',
        ],
      },
      {
        title: 'processing',
        arrange: (withdrawal) => withdrawal.create(),
        status: 'processing',
        waitingFor: 'payout_result',
        says: [new RegExp(`the provider is asked again at ${INSTANT}`)],
      },
    ];
    for (const row of withdrawals)
      it(`withdrawal ${row.title}`, () => expectView('withdrawal', gateway.newWithdrawal(), row));

    it('activities and timers carry their summaries', async () => {
      const deposit = await gateway.pendingDeposit();
      await deposit.pay();
      const { events } = await deposit.handle.fetchHistory();
      const summaries = (events ?? []).flatMap(({ userMetadata }) =>
        userMetadata?.summary?.data ? [Buffer.from(userMetadata.summary.data).toString('utf8')] : [],
      );
      const expected = ['decide and store the deposit, create its charge', 'look the charge up, store its payments'];
      for (const summary of expected) {
        assert.ok(summaries.includes(JSON.stringify(summary)), `${summary} among ${summaries.join()}`);
      }
      const expiry = summaries.find((summary) => summary.startsWith('"expires at '));
      assert.match(expiry ?? '', /at \d{4}-/, 'the expiry timer says when');
    });

    it('a rule change says what it waits for, and can be searched for', async () => {
      const change = await proposeRuleChange(gateway);
      await change.decide({ person: 'ana' });
      const { typedSearchAttributes: found } = await change.handle.describe();
      assert.deepEqual(
        [
          SEARCH_ATTRIBUTES.OperationId,
          SEARCH_ATTRIBUTES.PaymentKind,
          SEARCH_ATTRIBUTES.PaymentStatus,
          SEARCH_ATTRIBUTES.WaitingFor,
        ].map((key) => found.get(key)),
        [change.input.operationId, 'rule_change', 'pending_approval', 'approval'],
      );
      assert.match(
        String(await change.handle.query('__temporal_workflow_metadata').then((value) => JSON.stringify(value))),
        /1 more person approves.*expires/,
      );
      await change.decide({ person: 'ben' });
      await change.handle.result();
      const ended = (await change.handle.describe()).typedSearchAttributes;
      assert.deepEqual(
        [ended.get(SEARCH_ATTRIBUTES.PaymentStatus), ended.get(SEARCH_ATTRIBUTES.WaitingFor)],
        ['approved', 'nothing'],
      );
      assert.equal((await change.handle.query(ruleChangeQuery))?.status, 'approved');
    });

    it('the repeats of a delivery can be searched for', async () => {
      const deposit = gateway.newDeposit();
      deposit.inbox.answers.push(500);
      await deposit.create();
      const event = await eventually(
        () => deposit.database.events.find(({ objectId }) => objectId === deposit.id),
        'the event',
      );
      const found = await eventually(
        () =>
          gateway.temporal.client
            .getHandle(event.id)
            .describe()
            .then(
              ({ typedSearchAttributes }) => typedSearchAttributes,
              () => null,
            ),
        'the delivery workflow',
      );
      assert.deepEqual(
        [SEARCH_ATTRIBUTES.OperationId, SEARCH_ATTRIBUTES.WaitingFor].map((key) => found.get(key)),
        [deposit.order.operationId, 'webhook_delivery'],
      );
    });
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
