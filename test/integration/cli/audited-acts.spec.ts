// Every permission leaves an audit entry: each is done here, or by the spec that is named for it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../platform/config/project-root.js';
import { PERMISSIONS, type StaffActKind } from '../../../domain/staff.js';
import { createTestGateway, type TestGateway } from './support.js';

type Person = Awaited<ReturnType<TestGateway['signedIn']>>;

interface World {
  readonly gateway: TestGateway;
  /** Operations of the sandbox and of production. */
  readonly operation: string;
  readonly production: string;
  readonly ana: Person;
  readonly ben: Person;
}

interface Done {
  /** The newest entry has this action. */
  readonly audited: string;
  /** What is there before. */
  readonly given?: (world: World) => Promise<string>;
  readonly does: (world: World, given: string) => Promise<unknown>;
}
/** The spec that does it, and asserts this action of the trail. */
interface ShownIn {
  readonly audited: string;
  readonly spec: string;
}

const by = (...argv: string[]) => [...argv, '--as', 'ben'];
const run =
  (...argv: string[]) =>
  ({ gateway }: World) =>
    gateway.json(...by(...argv));
const onOperation =
  (...argv: string[]) =>
  ({ gateway, operation }: World) =>
    gateway.json(...by(...argv, operation));
const ofOperation =
  (...argv: string[]) =>
  ({ gateway, operation }: World) =>
    gateway.json(...by(...argv, '--operation', operation));
const requested = async ({ production, ana }: World, ...argv: string[]) => {
  const { requests } = await ana.json(...argv.map((word) => (word === 'OPERATION' ? production : word)));
  return String((requests as { id: string }[])[0]?.id);
};
const keyAsked = (world: World) => requested(world, 'key', 'create', '--operation', 'OPERATION', '--scopes', 'read');
const resumptionAsked = async (world: World) => {
  await world.ana.json('operation', 'suspend', world.production);
  return requested(world, 'operation', 'resume', 'OPERATION');
};
const player = async (gateway: TestGateway, operation: string) => {
  await gateway.rows(
    `INSERT INTO player (operation_id, external_ref, document_hash, document_sealed) VALUES ($1, 'player-1', 'h', 's')`,
    operation,
  );
  return 'player-1';
};
const decide =
  (decision: 'approve' | 'reject') =>
  ({ ben }: World, id: string) =>
    ben.json('request', decision, id);

const SPEC = 'test/integration';
const ACTS: Readonly<Record<StaffActKind, Done | ShownIn>> = {
  'deposit.approve': { audited: 'deposit.approve', spec: `${SPEC}/store/deposits.spec.ts` },
  'deposit.return': { audited: 'deposit.return', spec: `${SPEC}/cli/review-decisions.spec.ts` },
  'deposit.cancel': { audited: 'deposit.cancel', spec: `${SPEC}/store/staff-acts.spec.ts` },
  'withdrawal.approve': { audited: 'withdrawal.approve', spec: `${SPEC}/store/staff-acts.spec.ts` },
  'withdrawal.refuse': { audited: 'withdrawal.refuse', spec: `${SPEC}/store/staff-acts.spec.ts` },
  'withdrawal.cancel': { audited: 'withdrawal.cancel', spec: `${SPEC}/panel/decisions.spec.ts` },
  'withdrawal.write_off': { audited: 'withdrawal.confirm_conclusion', spec: `${SPEC}/cli/review-decisions.spec.ts` },
  'list.change': {
    audited: 'list.add',
    does: ofOperation('list', 'add', '--list', 'block', '--kind', 'device', 'device-1'),
  },
  'player.erase': {
    audited: 'player.erase',
    given: ({ gateway, operation }) => player(gateway, operation),
    does: ofOperation('player', 'erase', 'player-1'),
  },
  'rules.set': {
    audited: 'rules.set',
    does: (world) => ofOperation('rules', 'set', world.gateway.file('{"currencies":{"BRL":{}}}'))(world),
  },
  'rule_change.approve': { audited: 'rule_change.approve', spec: `${SPEC}/cli/rules-changes.spec.ts` },
  'rule_change.reject': { audited: 'rule_change.reject', spec: `${SPEC}/cli/rules-changes.spec.ts` },
  'rule_change.recompute': { audited: 'rule_change.recompute', spec: `${SPEC}/cli/rules-changes.spec.ts` },
  'operation.create': {
    audited: 'operation.create',
    does: ({ gateway }) => gateway.operation('--as', 'ben'),
  },
  'operation.webhook': {
    audited: 'webhook.set',
    does: ofOperation('operation', 'set-webhook', 'http://127.0.0.1:9999/hooks'),
  },
  'operation.provider': { audited: 'provider.set', does: ofOperation('operation', 'set-provider', 'b') },
  'operation.suspend': { audited: 'operation.suspend', does: onOperation('operation', 'suspend') },
  'operation.resume': { audited: 'operation.resume', does: onOperation('operation', 'resume') },
  'automatic.stop': { audited: 'automatic.stop', does: onOperation('operation', 'stop-automatic') },
  'automatic.resume': { audited: 'automatic.resume', does: onOperation('operation', 'resume-automatic') },
  'provider.pause': { audited: 'provider.pause', does: run('provider', 'pause', 'b', '--reason', 'an incident') },
  'provider.resume': { audited: 'provider.resume', does: run('provider', 'resume', 'b') },
  'return.conclude': { audited: 'return.conclude_request', spec: `${SPEC}/cli/two-people.spec.ts` },
  'cash.move': {
    audited: 'cash.move',
    does: ofOperation('cash', 'fund', '5000', '--document', 'slip 7', '--reason', 'as agreed'),
  },
  'webhook_secret.rotate': { audited: 'webhook_secret.rotate', does: ofOperation('webhook-secret', 'rotate') },
  'key.request': { audited: 'key.create', does: ofOperation('key', 'create', '--scopes', 'read') },
  'key.revoke': {
    audited: 'key.revoke',
    given: async (world) => String((await ofOperation('key', 'create', '--scopes', 'read')(world))['key_id']),
    does: ({ gateway }, key) => gateway.json(...by('key', 'revoke', key)),
  },
  'allowlist.request': { audited: 'allowlist.set', does: ofOperation('allowlist', 'set', '203.0.113.0/24') },
  'access.approve': { audited: 'request.approve', given: keyAsked, does: decide('approve') },
  'access.reject': { audited: 'request.reject', given: keyAsked, does: decide('reject') },
  'risk.approve': { audited: 'request.approve', given: resumptionAsked, does: decide('approve') },
  'risk.reject': { audited: 'request.reject', given: resumptionAsked, does: decide('reject') },
  'destruction.approve': {
    audited: 'request.approve',
    given: async (world) => {
      await player(world.gateway, world.production);
      return requested(world, 'player', 'erase', 'player-1', '--operation', 'OPERATION');
    },
    does: decide('approve'),
  },
  'certificate.issue': { audited: 'certificate.issue', spec: `${SPEC}/cli/certificates.spec.ts` },
  'certificate.revoke': { audited: 'certificate.revoke', spec: `${SPEC}/cli/certificates.spec.ts` },
  'sealing.change': { audited: 'sealing.init', spec: `${SPEC}/vault/vault.spec.ts` },
  'deploy.change': { audited: 'deploy.promote', spec: 'test/fault/deploy.spec.ts' },
  'list.block': { audited: 'list.add', spec: `${SPEC}/panel/decisions.spec.ts` },
  'case.work': { audited: 'case.snooze', spec: `${SPEC}/panel/polls.spec.ts` },
  'case.answer': { audited: 'case.answer', spec: `${SPEC}/panel/questions.spec.ts` },
  'alert.resolve': {
    audited: 'alert.resolve',
    given: async ({ gateway }) => {
      await gateway.rows(
        `INSERT INTO alert (id, kind, detail, created_at)
         VALUES ('alr_0123456789abcdef0123456789abcdef', 'PASSKEY_ADDED', 'x', now() - interval '1 day')`,
      );
      return 'alr_0123456789abcdef0123456789abcdef';
    },
    does: ({ gateway }, id) => gateway.json(...by('alerts', 'resolve', id)),
  },
  'event.redeliver': { audited: 'event.redeliver', spec: `${SPEC}/panel/safe-acts.spec.ts` },
  'conformance.record': { audited: 'conformance.record', spec: `${SPEC}/cli/conformance.spec.ts` },
  'day.close': { audited: 'day.close', does: ofOperation('reconcile', 'close', '--date', '2026-01-02') },
  'statement.import': { audited: 'statement.import', spec: `${SPEC}/cli/statement.spec.ts` },
  'statement.remove': { audited: 'statement.remove', spec: `${SPEC}/cli/statement.spec.ts` },
  'statement.resolve': { audited: 'statement.resolve', spec: `${SPEC}/cli/statement.spec.ts` },
  'workflow.refresh': { audited: 'workflow.refresh', spec: `${SPEC}/stack/one-stack/workflow-verify.ts` },
  'audit.export': { audited: 'audit.export', spec: `${SPEC}/cli/audit.spec.ts` },
  'staff.manage': { audited: 'staff.create', does: run('staff', 'create', 'dora.lima') },
  'staff.break_glass': {
    audited: 'staff.break_glass',
    does: ({ ben }) => ben.json('staff', 'break-glass', '--ticket', 'INC-1', '--reason', 'the panel is down'),
  },
};

describe('every act of a person is in the audit trail', function () {
  this.timeout(60_000);
  let world: World;
  before(async () => {
    const gateway = await createTestGateway();
    const [ana, ben] = [await gateway.signedIn('ana'), await gateway.signedIn('ben')];
    const operation = (await gateway.operation('--as', 'ana'))['operation_id'];
    const production = await gateway.production();
    world = { gateway, operation, production, ana, ben };
  });
  after(() => world.gateway.close());

  const entriesAfter = (sequence: string) =>
    world.gateway.rows(
      'SELECT sequence::text, person, action, detail FROM audit_entry WHERE sequence > $1::bigint ORDER BY sequence',
      sequence,
    );

  it('has a row for every permission', () =>
    assert.deepEqual(Object.keys(ACTS).sort(), Object.keys(PERMISSIONS).sort()));

  for (const [kind, act] of Object.entries(ACTS))
    if ('spec' in act)
      it(`${kind}: ${act.spec} shows it`, () => {
        const text = readFileSync(join(projectRoot(), act.spec), 'utf8');
        assert.match(text, new RegExp(`['\` ]${act.audited.replace('.', String.raw`\.`)}['\`]`));
      });
    else
      it(`${kind}: ${act.audited}, with its person and the means`, async () => {
        const given = (await act.given?.(world)) ?? '';
        const [{ sequence } = {}] = await world.gateway.rows('SELECT max(sequence)::text AS sequence FROM audit_entry');
        await act.does(world, given);
        const entry = (await entriesAfter(String(sequence))).find(({ action }) => action === act.audited);
        assert.equal(entry?.['person'], 'ben');
        const { means } = JSON.parse(String(entry['detail'])) as Record<string, unknown>;
        if (!NO_MEANS.includes(act.audited)) assert.ok(means !== undefined, 'by which means');
      });
});

/** Written by a trigger with the version, and by the beginning of a session, which is a means. */
const NO_MEANS = ['rules.set', 'staff.break_glass'];
