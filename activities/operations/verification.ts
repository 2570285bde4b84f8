// The nightly verification of ledger, audit chain, decisions and signatures: an alert for what does not hold, and a row
// for the metrics.
import type { Logger } from 'pino';
import { alertOf } from '../../domain/alert-records.js';
import type { SealWitness } from '../../store/audit/seal.js';
import { verifyAudit } from '../../store/audit/verification.js';
import { type GatewayAlert, resolveAlerts } from '../../store/alerts/alerts.js';
import type { Database } from '../../store/database.js';
import { checkLedger, type Overdrawn } from '../../store/ledger/check.js';
import { noteCheck, operationsAfter } from '../../store/operations/checks.js';
import { replaySample } from '../../store/rules/replayed-decisions.js';
import { verifySignedActs } from '../../store/staff/signatures.js';
import { inLongSnapshot } from '../../store/transactions.js';
import { formatBrl } from '../../domain/money.js';
import { raiseAlert } from '../alerts.js';
import type { Sealer } from '../../store/sealing/sealer.js';
import { CarriedProgress } from '../progress.js';
import { raiseAuditAlert } from './audit-alert.js';
import type { VerificationActivities } from './types.js';

/** A ledger of millions of entries takes minutes. */
const LEDGER_LIMIT_MS = 9 * 60_000;
/** Decisions of a night's sample, out of the last ones. */
const SAMPLE = 500;
const SAMPLED_FROM = 100_000;
/** Acts never change. Each is verified several nights in a row, in case one night fails. */
const SIGNED_DAYS = 7;
/** Two verifications take a millisecond. */
const MOST_SIGNED_ACTS = 20_000;
const MOST_ACT_ALERTS = 20;
/** At most this many alerts a night: one bug could otherwise raise thousands. */
const MOST_DECISION_ALERTS = 20;

type AlertSaid = Pick<GatewayAlert, 'kind' | 'detail'>;

/** The last operation whose ledger was verified, and the problems so far. */
interface VerificationProgress {
  readonly after: string | null;
  readonly problems: number;
}

/**
 * @param sealWitness the proof of the audit trail from outside the database; `null` in a process that does not verify
 */
export function createVerificationActivities(
  database: Database,
  logger: Logger,
  sealer: Sealer,
  sealWitness: SealWitness | null,
): VerificationActivities {
  const raise = (about: Pick<GatewayAlert, 'operationId' | 'objectId' | 'at'>, said: AlertSaid) =>
    raiseAlert(database, logger, { ...about, ...said, occasion: null });

  const progresses = new CarriedProgress<VerificationProgress>(sealer, 'ledgers', { after: null, problems: 0 });

  return {
    verifyLedger: async ({ at, progress }) => {
      const { startedAt, state } = progresses.open(progress, at);
      const [operationId = null] = await operationsAfter(database, state.after, 1);
      if (operationId === null) {
        await noteCheck(database, { name: 'ledger', at: startedAt, problems: state.problems });
        return { operationId, problems: state.problems, progress: null };
      }
      const { problems, overdrawn } = await inLongSnapshot(database, LEDGER_LIMIT_MS, (snapshot) =>
        checkLedger(snapshot, operationId),
      );
      const [first] = problems;
      const about = { operationId, objectId: operationId, at };
      if (first === undefined) await resolveAlerts(database, { kind: 'LEDGER_DIFFERS', objectId: operationId, at });
      else {
        const subject = first.subject ?? first.account ?? '';
        const values = { count: problems.length, difference: first.kind, subject };
        await raise(about, alertOf('LEDGER_DIFFERS', 'differs', values));
      }
      if (overdrawn.length === 0)
        await resolveAlerts(database, { kind: 'ACCOUNT_OVERDRAWN', objectId: operationId, at });
      else await raise(about, alertOf('ACCOUNT_OVERDRAWN', 'overdrawn', { accounts: accountsText(overdrawn) }));
      const sum = state.problems + problems.length;
      const next = { startedAt, state: { after: operationId, problems: sum } };
      return { operationId, problems: sum, progress: progresses.carry(next) };
    },
    verifyAuditChain: async ({ at }) => {
      const question = { anchor: null, witness: sealWitness, now: new Date(at) };
      const { problems } = await verifyAudit(database, question);
      const [first] = problems;
      await noteCheck(database, { name: 'audit', at, problems: problems.length });
      // A person ends the alert: whoever changed the trail could put it right again.
      if (first !== undefined) await raiseAuditAlert(database, logger, { first, problems: problems.length, at });
      return { problems: problems.length };
    },
    verifyDecisions: async ({ at }) => {
      const { decisions, differing } = await replaySample(database, { sample: SAMPLE, outOf: SAMPLED_FROM });
      for (const { operationId, objectId, stage } of differing.slice(0, MOST_DECISION_ALERTS)) {
        await raise({ operationId, objectId, at }, alertOf('DECISION_NOT_REPRODUCED', 'differs', { stage }));
      }
      await noteCheck(database, { name: 'decisions', at, problems: differing.length, figures: { decisions } });
      return { problems: differing.length };
    },
    verifySignatures: async ({ at }) => {
      const since = new Date(Date.parse(at) - SIGNED_DAYS * 86_400_000);
      const { verified, unsigned } = await verifySignedActs(database, { since, most: MOST_SIGNED_ACTS });
      for (const { id, kind, operationId, handle } of unsigned.slice(0, MOST_ACT_ALERTS))
        await raiseAlert(database, logger, {
          ...alertOf('ACT_NOT_SIGNED', 'stored', { act: kind }),
          occasion: null,
          operationId,
          objectId: id,
          at,
          causedBy: handle,
        });
      await noteCheck(database, { name: 'signatures', at, problems: unsigned.length, figures: { verified } });
      return { problems: unsigned.length };
    },
  };
}

function accountsText(overdrawn: readonly Overdrawn[]): string {
  const texts = overdrawn.map(({ provider, available_minor }) => `${provider}: ${formatBrl(BigInt(available_minor))}`);
  return texts.join(', ');
}
