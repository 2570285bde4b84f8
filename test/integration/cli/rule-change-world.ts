// Rule changes through the real workflow and the real database, decided by the `gateway` command.
import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { offeredAt } from '../../support/intercepted.js';
import {
  createRuleChangeProof,
  createRuleChangeSteps,
  createRuleChangeStore,
} from '../../../activities/operations/rule-changes.js';
import { RULE_CHANGE_WORKFLOW, type RuleChangeInput, ruleChangeStart } from '../../../contract/temporal/rule-change.js';
import { newId } from '../../../domain/identifiers.js';
import { parseRuleSet, type RuleSet } from '../../../domain/rules/rule-set.js';
import { DATA_CONVERTER } from '../../../platform/temporal/connection.js';
import { actOnChange, type ChangeActAnswer } from '../../../staff/acts/rule-changes.js';
import type { Database } from '../../../store/database.js';
import { insertRuleChange } from '../../../store/rules/rule-changes.js';
import { FakeWorld } from '../../support/fake-activities.js';
import { startTimeSkippingTemporal, type TimeSkippingTemporal } from '../../support/temporal.js';
import { signedWithNewPasskey } from '../../support/signed-acts.js';
import { createTestGateway, openDatabase, type TestGateway, testSealer } from './support.js';
import { eventually } from '../../../lab/harness/eventually.js';
import { placeOf } from '../../../store/sealing/places.js';

export const PROPOSED: RuleSet = parseRuleSet({
  version: 7,
  currencies: { BRL: { auto_multiplier: '2.5', deposit_max: '900000' } },
});

/** The command, the workflow and the database of one spec file. */
export class RuleChangeWorld {
  private constructor(
    readonly gateway: TestGateway,
    readonly temporal: TimeSkippingTemporal,
    readonly database: Database,
    private readonly workers: Database,
  ) {}

  static async start(): Promise<RuleChangeWorld> {
    const gateway = await createTestGateway({ TEMPORAL_NAMESPACE: 'default' });
    const database = openDatabase(gateway.ownerUrl);
    const workers = openDatabase(gateway.urlOfRole('gateway_payments'));
    const doubles = new FakeWorld().activities();
    const temporal: TimeSkippingTemporal = await startTimeSkippingTemporal({
      ...doubles,
      payments: {
        ...doubles.payments,
        ...offeredAt(() => temporal.nowMs(), {
          ...createRuleChangeSteps(createRuleChangeStore(workers, testSealer, () => Promise.resolve())),
          ...createRuleChangeProof(workers),
        }),
      },
    });
    gateway.environment['TEMPORAL_ADDRESS'] = temporal.environment.address;
    return new RuleChangeWorld(gateway, temporal, database, workers);
  }

  /** How often the event is in the outbox, to be delivered. */
  timesOutboxed(eventId: string): Promise<number> {
    return this.database.eventOutbox.count({ where: { eventId } });
  }

  async close(): Promise<void> {
    await this.temporal.close();
    await Promise.all([this.database.$disconnect(), this.workers.$disconnect()]);
    await this.gateway.close();
  }

  /** An operation with rule set version 1, and a change proposed from it. */
  async proposal({ isStarted = true } = {}): Promise<{ readonly id: string; readonly operationId: string }> {
    const operationId = (await this.gateway.operation('--webhook-url', 'http://127.0.0.1:9000/hooks'))[
      'operation_id'
    ] as string;
    const id = newId('ruleChange');
    await insertRuleChange(this.database, {
      id,
      operationId,
      baseVersion: 1,
      rules: PROPOSED,
      engine: null,
      justification: 'more players',
      requestedBy: 'key_test_1',
    });
    const input = { changeId: id, operationId };
    if (isStarted)
      await this.temporal.client.start<(input: RuleChangeInput) => Promise<unknown>>(
        RULE_CHANGE_WORKFLOW,
        ruleChangeStart(input, 'Acme'),
      );
    return { id, operationId };
  }

  /** The digest of the report, once it is there. */
  async digestOf(id: string): Promise<string> {
    const digest = () => this.gateway.json('rules', 'changes', 'show', id).then((shown) => shown['digest'] as unknown);
    return String(await eventually(digest, `a report of ${id}`));
  }

  /** Approves it as the panel does in production, where a passkey signs it. */
  async approveInPanel(id: string, handle: string, digest: string): Promise<ChangeActAnswer> {
    const sessionId = `ses_${randomUUID()}`;
    await this.gateway.rows(
      `INSERT INTO staff_session (id, token_hash, staff_handle, means) VALUES ($1, $2, $3, 'passkey')`,
      sessionId,
      randomBytes(32),
      handle,
    );
    const [row] = await this.gateway.rows('SELECT base_version FROM rule_change_request WHERE id = $1', id);
    const signature = await signedWithNewPasskey(this.gateway.rows, handle, {
      kind: 'rule_change.approve',
      subjectId: id,
      subjectVersion: Number(row?.['base_version']),
      subjectDigest: digest,
      reason: '',
      evidence: '',
    });
    const signer = { handle, sessionId, means: 'signature', signature } as const;
    const { connection } = this.temporal.environment;
    const withTemporal = <Result>(work: (client: Client) => Promise<Result>) =>
      work(new Client({ dataConverter: DATA_CONVERTER, connection }));
    const act = { kind: 'rule_change.approve', id, reason: '', digest } as const;
    return actOnChange({ database: this.database, withTemporal }, signer, act);
  }

  /** The arguments that approve a change by its digest. */
  async approval(id: string, person: string): Promise<string[]> {
    return ['rules', 'changes', 'approve', id, '--as', person, '--digest', await this.digestOf(id)];
  }

  async decide(decision: 'approve' | 'reject', id: string, person: string, ...more: string[]) {
    const command =
      decision === 'approve' ? await this.approval(id, person) : ['rules', 'changes', 'reject', id, '--as', person];
    return this.gateway.json(...command, ...more);
  }

  /** An operation's events in order, each with its opened body. */
  async eventsOf(operationId: string) {
    const rows = await this.database.event.findMany({ where: { operationId }, orderBy: { sequence: 'asc' } });
    return rows.map((row) => {
      const place = placeOf('event.body_sealed', operationId, { id: row.id });
      return { row, body: JSON.parse(testSealer.openBytes(place, row.bodySealed).toString('utf8')) };
    });
  }

  /** Who did what to a change, from the audit log. */
  acts(id: string) {
    return this.gateway.rows('SELECT person, action FROM audit_entry WHERE subject = $1 ORDER BY sequence', id);
  }
}
