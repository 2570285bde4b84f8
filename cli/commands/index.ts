// The tree of commands. Each command's file registers itself; what a command needs is loaded when it runs.
import type { Command } from 'commander';
import type { Registrar } from '../program.js';
import { registerAlerts } from './alerts.js';
import { registerAllowlistSet } from './allowlist.js';
import { registerAuditList, registerAuditVerify } from './audit.js';
import { registerBalanceList } from './balance.js';
import {
  registerCertAuthority,
  registerCertIssue,
  registerCertList,
  registerCertRevocationList,
  registerCertRevoke,
} from './cert.js';
import { registerDecisionReplay, registerDecisionShow } from './decision/index.js';
import { registerDeploy } from './deploy/index.js';
import { registerEndpointList } from './endpoint.js';
import { registerEventRedeliver } from './event.js';
import { registerFind } from './find/index.js';
import { registerKeyCreate } from './key.js';
import { registerKeyList } from './key-list.js';
import { registerKeyRevoke } from './key-revoke.js';
import { registerLedgerVerify } from './ledger.js';
import { registerListEntries, registerListShow } from './list.js';
import { registerOperationCreate } from './operation.js';
import { registerOperationList } from './operation-list.js';
import { registerOperationSetWebhook } from './operation-set-webhook.js';
import { registerOperationStatus } from './operation-status.js';
import { registerDepositShow, registerWithdrawalShow } from './payment.js';
import { registerPlayerPayments } from './player.js';
import { registerReconcileClose, registerReconcileShow } from './reconcile/days.js';
import { registerReconcileReferences } from './reconcile/references.js';
import { registerReconcileVerify } from './reconcile/verify.js';
import { registerRequestDecisions, registerRequestList } from './request.js';
import { registerReviewConclude } from './review/conclude.js';
import { registerReviewDecisions } from './review/decide.js';
import { registerReviewList, registerReviewShow } from './review/queue.js';
import { registerRulesChanges } from './rules/changes.js';
import { registerRulesSet } from './rules/set.js';
import { registerRulesShow } from './rules/show.js';
import { registerSealing } from './sealing/index.js';
import { registerSign } from './sign/index.js';
import { registerSetup } from './setup/index.js';
import { registerTemporalPrepare } from './temporal.js';
import { registerViews } from './views.js';
import { registerWebhookSecretRotate } from './webhook-secret.js';
import { registerWorkflowVerify } from './workflow/index.js';

type Register = (parent: Command, run: Registrar) => void;

const GROUPS: readonly {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly Register[];
}[] = [
  {
    name: 'operation',
    description: 'operations: onboard, suspend, list',
    commands: [registerOperationCreate, registerOperationList, registerOperationStatus, registerOperationSetWebhook],
  },
  { name: 'key', description: 'API keys', commands: [registerKeyCreate, registerKeyList, registerKeyRevoke] },
  { name: 'allowlist', description: 'networks that may call', commands: [registerAllowlistSet] },
  {
    name: 'cert',
    description: 'client certificates of the TLS edge',
    commands: [
      registerCertAuthority,
      registerCertIssue,
      registerCertList,
      registerCertRevoke,
      registerCertRevocationList,
    ],
  },
  {
    name: 'request',
    description: 'what needs a second person in production',
    commands: [registerRequestList, registerRequestDecisions],
  },
  {
    name: 'webhook-secret',
    description: 'secrets that webhooks are signed with',
    commands: [registerWebhookSecretRotate],
  },
  { name: 'list', description: 'block and review lists', commands: [registerListEntries, registerListShow] },
  { name: 'rules', description: 'rule sets', commands: [registerRulesSet, registerRulesShow, registerRulesChanges] },
  {
    name: 'review',
    description: 'payments that wait for a person',
    commands: [registerReviewList, registerReviewShow, registerReviewDecisions, registerReviewConclude],
  },
  { name: 'deposit', description: 'one deposit', commands: [registerDepositShow] },
  { name: 'withdrawal', description: 'one withdrawal', commands: [registerWithdrawalShow] },
  { name: 'player', description: 'what one player paid in and took out', commands: [registerPlayerPayments] },
  { name: 'event', description: 'one event', commands: [registerEventRedeliver] },
  { name: 'endpoint', description: 'operations whose webhooks fail', commands: [registerEndpointList] },
  { name: 'balance', description: 'what is on the ledger accounts', commands: [registerBalanceList] },
  {
    name: 'reconcile',
    description: 'closed days',
    commands: [registerReconcileShow, registerReconcileVerify, registerReconcileClose, registerReconcileReferences],
  },
  {
    name: 'decision',
    description: 'why the rules decided as they did',
    commands: [registerDecisionShow, registerDecisionReplay],
  },
  { name: 'audit', description: 'what people did', commands: [registerAuditList, registerAuditVerify] },
  { name: 'ledger', description: 'the books', commands: [registerLedgerVerify] },
  {
    name: 'workflow',
    description: 'workflows against the payments that they drive',
    commands: [registerWorkflowVerify],
  },
  { name: 'temporal', description: 'the Temporal namespace that payments run in', commands: [registerTemporalPrepare] },
  { name: 'deploy', description: 'builds of the workers: promote, drain, roll back', commands: registerDeploy },
  {
    name: 'sealing',
    description: 'the keys that personal data and secrets are sealed with',
    commands: registerSealing,
  },
];

export function registerCommands(program: Command, run: Registrar): void {
  registerFind(program, run);
  for (const { name, description, commands } of GROUPS) {
    const group = program.command(name).description(description);
    for (const register of commands) register(group, run);
  }
  registerAlerts(program, run);
  registerViews(program, run);
  registerSign(program, run);
  registerSetup(program, run);
}
