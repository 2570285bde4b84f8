// The panel with its page, over a real database, with the real workflows of payments behind it.
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { DEPOSIT_WORKFLOW, WITHDRAWAL_WORKFLOW } from '../../contract/temporal/payment.js';
import { TASK_QUEUES } from '../../contract/temporal/workers.js';
import { loadPage } from '../../panel/files.js';
import { projectRoot } from '../../platform/config/project-root.js';
import { DATA_CONVERTER, openTemporal } from '../../platform/temporal/connection.js';
import { newId } from '../../domain/identifiers.js';
import { parseRuleSet } from '../../domain/rules/rule-set.js';
import { proveRuleChange } from '../../store/rules/rule-change-proof.js';
import { insertRuleChange, storeProof } from '../../store/rules/rule-changes.js';
import { createDatabase } from '../../store/database.js';
import { startPaymentWorkers } from '../integration/cli/payment-workers.js';
import { insertDeposit, insertWithdrawal } from '../integration/cli/payments.js';
import { createTestGateway, type TestGateway } from '../integration/cli/support.js';
import { createPanelWorld, type PanelWorld } from '../integration/panel/world.js';
import { startBrowser, type TestBrowser } from './chromium.js';

export interface BrowserWorld {
  readonly gateway: TestGateway;
  readonly panel: PanelWorld;
  readonly browser: TestBrowser;
  readonly operationId: string;
  /** Payments under review, each with its workflow. */
  withdrawal(reasons?: readonly string[], amount?: string): Promise<string>;
  deposit(reasons?: readonly string[], paidAmount?: string): Promise<string>;
  /** A proposed change with its report. */
  ruleChange(): Promise<string>;
  /** Who decided what on a payment. */
  decided(id: string): Promise<string[]>;
  close(): Promise<void>;
}

/** Rita and Paulo judge, Clara only looks; as in the sandbox. */
export async function createBrowserWorld(): Promise<BrowserWorld> {
  const gateway = await createTestGateway();
  const pool = { poolSize: 4, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 };
  const ofWorker = createDatabase({ url: gateway.urlOfRole('gateway_worker'), ...pool });
  const ofOwner = createDatabase({ url: gateway.ownerUrl, ...pool, poolSize: 1 });
  const wait = { kind: 'wait', for: 'operation_suspended', until: null, ruleSetVersion: 1 } as const;
  const temporal = await startPaymentWorkers(ofWorker, {
    rules: { decideDispatch: async () => ({ verdict: wait, record: null }) },
  });
  // As the panel's process has it.
  const connection = openTemporal({ address: temporal.environment.address });
  const files = loadPage(join(projectRoot(), 'dist', 'panel', 'web'));
  const panel = await createPanelWorld({
    gateway,
    temporal: new Client({ dataConverter: DATA_CONVERTER, connection }),
    files,
  });
  const operationId = (await gateway.operation())['operation_id'];
  await insertDeposit(gateway, operationId, { status: 'paid', amount: '9000000', movements: ['deposit_credited'] });
  await panel.person('rita', ['reviewer', 'risk_manager', 'admin']);
  await panel.person('paulo', ['reviewer', 'risk_manager', 'approver']);
  await panel.person('clara', ['auditor']);
  const browser = await startBrowser(panel);
  return {
    gateway,
    panel,
    browser,
    operationId,
    async withdrawal(reasons = ['FIRST_WITHDRAWAL'], amount = '1000') {
      const movements = ['withdrawal_reserved'] as const;
      const id = await insertWithdrawal(gateway, operationId, { status: 'under_review', amount, reasons, movements });
      await temporal.client.start(WITHDRAWAL_WORKFLOW, {
        workflowId: id,
        taskQueue: TASK_QUEUES.payments,
        args: [{ kind: 'reopen', id, operationId }],
      });
      return id;
    },
    async deposit(reasons = ['PAYER_MISMATCH'], paidAmount = '5000') {
      const movements = ['deposit_held'] as const;
      const id = await insertDeposit(gateway, operationId, { status: 'under_review', paidAmount, reasons, movements });
      await gateway.rows(
        `UPDATE deposit SET end_to_end_id = $2, paid_at = now() WHERE id = $1`,
        id,
        `E${id.slice(-31)}`,
      );
      await temporal.client.start(DEPOSIT_WORKFLOW, {
        workflowId: id,
        taskQueue: TASK_QUEUES.payments,
        args: [{ kind: 'reopen', id, operationId }],
      });
      return id;
    },
    async ruleChange() {
      const changeId = newId('ruleChange');
      const rules = parseRuleSet({
        version: 1,
        currencies: { BRL: { auto_multiplier: '2.5', deposit_max: '900000' } },
      });
      const proposed = { operationId, baseVersion: 1, rules, engine: null };
      const text = { justification: 'more players', requestedBy: 'key_test_1' };
      await insertRuleChange(ofOwner, { ...proposed, ...text, id: changeId });
      const proof = await proveRuleChange(ofOwner, { ...proposed, through: new Date().toISOString() });
      await storeProof(ofOwner, { changeId, operationId }, proof);
      return changeId;
    },
    async decided(id) {
      const rows = await gateway.rows('SELECT staff_handle, kind, outcome FROM staff_act WHERE subject_id = $1', id);
      return rows.map(
        ({ staff_handle, kind, outcome }) => `${String(staff_handle)} ${String(kind)} ${String(outcome)}`,
      );
    },
    async close() {
      await browser.close();
      await panel.close();
      await connection.close();
      await temporal.close();
      await ofWorker.$disconnect();
      await ofOwner.$disconnect();
      await gateway.close();
    },
  };
}
