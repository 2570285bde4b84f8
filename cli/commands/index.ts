// The commands, in the order of the help. Each noun has its own file or folder. A command imports what it needs when it
// runs.
import type { Command } from 'commander';
import type { Register, Registrar } from '../context.js';
import { registerAlerts } from './alerts.js';
import { registerAllowlist } from './allowlist.js';
import { registerAudit } from './audit.js';
import { registerBalance } from './balance.js';
import { registerCash } from './cash.js';
import { registerCert } from './cert/index.js';
import { registerConformance } from './conformance.js';
import { registerDecision } from './decision/index.js';
import { registerDeploy } from './deploy/index.js';
import { registerEndpoint } from './endpoint.js';
import { registerEvent } from './event.js';
import { registerFind } from './find/index.js';
import { registerKey } from './key.js';
import { registerLedger } from './ledger.js';
import { registerList } from './list.js';
import { registerOperation } from './operation.js';
import { registerDeposit, registerWithdrawal } from './payment.js';
import { registerPlayer } from './player.js';
import { registerProvider } from './provider/index.js';
import { registerDispute } from './dispute.js';
import { registerPayout } from './payout.js';
import { registerReceipt } from './receipt.js';
import { registerReconcile } from './reconcile/index.js';
import { registerStatement } from './statement.js';
import { registerRequest } from './request.js';
import { registerReview } from './review/index.js';
import { registerRules } from './rules/index.js';
import { registerSealing } from './sealing/index.js';
import { registerSetup } from './setup/index.js';
import { registerSign } from './sign/index.js';
import { registerStaff } from './staff/index.js';
import { registerSuspense } from './suspense.js';
import { registerTemporal } from './temporal.js';
import { registerViews } from './views.js';
import { registerWebhookSecret } from './webhook-secret.js';
import { registerWorkflow } from './workflow/index.js';

const COMMANDS: readonly Register[] = [
  registerFind,
  registerOperation,
  registerKey,
  registerAllowlist,
  registerCert,
  registerConformance,
  registerRequest,
  registerWebhookSecret,
  registerList,
  registerRules,
  registerReview,
  registerDeposit,
  registerWithdrawal,
  registerPlayer,
  registerEvent,
  registerEndpoint,
  registerBalance,
  registerCash,
  registerSuspense,
  registerProvider,
  registerReceipt,
  registerPayout,
  registerDispute,
  registerReconcile,
  registerStatement,
  registerDecision,
  registerAudit,
  registerLedger,
  registerWorkflow,
  registerTemporal,
  registerDeploy,
  registerSealing,
  registerAlerts,
  registerViews,
  registerSign,
  registerStaff,
  registerSetup,
];

export function registerCommands(program: Command, run: Registrar): void {
  for (const register of COMMANDS) register(program, run);
}
