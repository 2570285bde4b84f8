// `npm run cluster -- --restore-drill`: payments before and after an instant, everything ended, the data destroyed and
// restored to that instant, and what then is left to do. docs/operating.md (Backup and restore) has the same steps for
// production.
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chargeReferenceOf, payoutReferenceOf } from '../../domain/identifiers.js';
import { Failure } from '../../tools/bootstrap/failure.mjs';
import { say, step } from '../../tools/bootstrap/progress.mjs';
import { instantOf, putBack, recoverySettings, takeBaseBackup, untilArchived } from './postgres-backup.js';
import { answerOf, CLUSTER_PATHS } from './cluster.js';
import type { Cluster, RunningCluster } from './cluster.js';
import { DrillPayments } from './payments.js';

type Gateway = RunningCluster['gateway'];

/** Payments by what had become of them at the instant, and after it. */
interface Payments {
  readonly paidBefore: string;
  /** Pending at the instant, paid after it. */
  readonly paidAfter: string;
  /** Pending at the instant and at the end. */
  readonly neverPaid: string;
  /** Made and paid after the instant: the restored books have never heard of it. */
  readonly forgotten: string;
  /** On its way at the provider at the instant, paid after it. */
  readonly withdrawal: string;
  /** Under review at the instant; approved and sent after it. */
  readonly sentAfter: string;
}

type Check = readonly [what: string, holds: boolean];

interface History {
  readonly instant: string;
  readonly payments: Payments;
  /** The events of `paidAfter`, before the data was lost. */
  readonly events: readonly string[];
  /** What the provider knew and the database did not, before the data was lost: earlier drills leave some. */
  readonly unknown: readonly string[];
}

/**
 * Runs the drill on clusters from `makeCluster`, one after the other; leaves the last one running. @returns whether all
 * held
 */
export async function drillRestore(makeCluster: () => Cluster): Promise<boolean> {
  const first = makeCluster();
  const before = await first.start({ archive: true });
  const { files, superuserUrl } = before.postgres;
  const backupFolder = join(files.archiveFolder, '..', 'base-backup');
  try {
    const history = await makeHistory(before, backupFolder);
    await step('everything is ended, the data is destroyed', async () => {
      await untilArchived(superuserUrl);
      await first.stop();
      rmSync(files.dataFolder, { recursive: true });
    });
    await step(`the base backup is put back, the archive played up to ${history.instant}`, () =>
      Promise.resolve(putBack(backupFolder, files)),
    );
    const checks: Check[] = [];
    const beforeGateway = async (gateway: Gateway) => {
      await step('every operation is suspended', () => forEveryOperation(gateway, 'suspend'));
      checks.push(await step('the exported seals are set aside', () => setSealsAside(gateway)));
      checks.push(...(await step('the restored books', () => compareBooks(gateway, history.payments))));
    };
    const after = await makeCluster().start({
      archive: true,
      postgresSettings: recoverySettings(files, history.instant),
      beforeGateway,
    });
    checks.push(...(await catchUp(after, history)));
    say('');
    for (const [what, holds] of checks) say(`  ${holds ? '✓' : '✗'} ${what}`);
    return checks.every(([, holds]) => holds);
  } finally {
    rmSync(backupFolder, { recursive: true, force: true });
  }
}

async function makeHistory(cluster: RunningCluster, backupFolder: string): Promise<History> {
  const { sandbox, postgres, gateway } = cluster;
  const drill = new DrillPayments(sandbox);
  try {
    const paidBefore = await drill.paidDeposit();
    await step('base backup', () => takeBaseBackup(postgres.superuserUrl, postgres.files, backupFolder));
    const [paidAfter, neverPaid] = [await drill.begin(), await drill.begin()];
    const [withdrawal, sentAfter] = [await drill.withdrawalUnderReview(), await drill.withdrawalUnderReview()];
    await drill.approve(withdrawal);
    const instant = await instantOf(postgres.superuserUrl);
    await drill.pay(paidAfter);
    const forgotten = await drill.paidDeposit();
    await drill.settle(withdrawal);
    await drill.approve(sentAfter);
    await drill.settle(sentAfter);
    return {
      payments: { paidBefore, paidAfter, neverPaid, forgotten, withdrawal, sentAfter },
      instant,
      events: await eventsOf(gateway, paidAfter),
      unknown: await unknownReferences(cluster),
    };
  } finally {
    await drill.close();
  }
}

async function forEveryOperation(gateway: Gateway, act: 'suspend' | 'resume'): Promise<void> {
  const { operations } = (await answerOf(gateway, ['operation', 'list', '--limit', '1000'])) as {
    operations: { operation_id: string }[];
  };
  for (const { operation_id: id } of operations) await answerOf(gateway, ['operation', act, id, '--as', 'cluster']);
}

/**
 * Reports that the export is ahead of the restored audit trail. Sets it aside, and exports the remaining seals again.
 */
async function setSealsAside(gateway: Gateway): Promise<Check> {
  const { code, stdout } = await gateway(['audit', 'verify']);
  const aside = `${CLUSTER_PATHS.auditSeals}-before-the-restore`;
  rmSync(aside, { recursive: true, force: true });
  renameSync(CLUSTER_PATHS.auditSeals, aside);
  await answerOf(gateway, ['audit', 'export', '--as', 'cluster']);
  return ['the exported seals name the acts that were lost', code === 1 && stdout.includes('seal_missing')];
}

/** Before the gateway runs: checks that books and workflows are complete, consistent, and as of that instant. */
async function compareBooks(gateway: Gateway, payments: Payments): Promise<Check[]> {
  const then: Readonly<Record<string, string | null>> = {
    [payments.paidBefore]: 'paid',
    [payments.paidAfter]: 'pending',
    [payments.neverPaid]: 'pending',
    [payments.withdrawal]: 'processing',
    [payments.sentAfter]: 'under_review',
    [payments.forgotten]: null,
  };
  const checks: Check[] = [
    [
      'the ledger and the audit trail hold',
      (await succeeds(gateway, ['ledger', 'verify'])) && (await succeeds(gateway, ['audit', 'verify'])),
    ],
    ['every open payment has its workflow, and the other way round', await succeeds(gateway, ['workflow', 'verify'])],
  ];
  for (const [id, status] of Object.entries(then))
    checks.push([
      `${id} is ${status ?? 'unknown'}, as it was at the instant`,
      (await statusOf(gateway, id)) === status,
    ]);
  return checks;
}

/**
 * The provider is ahead of the database: checks what the gateway finds, what a person finds, and that payments
 * continue.
 */
async function catchUp(cluster: RunningCluster, { payments, events, unknown: before }: History): Promise<Check[]> {
  const { gateway, sandbox } = cluster;
  const drill = new DrillPayments(sandbox);
  try {
    await step('open payments ask their providers (workflow verify --refresh)', () =>
      answerOf(gateway, ['workflow', 'verify', '--refresh']),
    );
    const checks: Check[] = [
      [`${payments.paidAfter} is paid again`, (await statusOf(gateway, payments.paidAfter)) === 'paid'],
      [
        'its operator gets the same events again, by their ids',
        (await eventsOf(gateway, payments.paidAfter)).join() === events.join(),
      ],
      [`${payments.withdrawal} is paid again`, (await statusOf(gateway, payments.withdrawal)) === 'paid'],
    ];
    const unknown = (await unknownReferences(cluster)).filter((reference) => !before.includes(reference));
    checks.push([
      `the provider's statement names what the books have lost: ${unknown.join(', ')}`,
      unknown.join() === chargeReferenceOf(payments.forgotten),
    ]);

    await forEveryOperation(gateway, 'resume');
    await drill.approve(payments.sentAfter);
    const isPaid = await drill.untilWithdrawal(payments.sentAfter, ['paid']);
    checks.push([
      `${payments.sentAfter} is approved again, and paid without being paid twice`,
      isPaid && (await payoutsOf(cluster, payments.sentAfter)) === 1,
    ]);
    await drill.pay(payments.neverPaid);
    await drill.paidDeposit();
    checks.push(
      [`${payments.neverPaid} is paid now, and a new payment goes through`, true],
      ['the ledger holds', await succeeds(gateway, ['ledger', 'verify'])],
    );
    return checks;
  } finally {
    await drill.close();
  }
}

/** As staff do with a provider's statement: its references in files. */
async function unknownReferences(cluster: RunningCluster): Promise<string[]> {
  const { charges, payouts } = await providerBooks(cluster);
  const [chargesFile, payoutsFile] = [
    join(CLUSTER_PATHS.folder, 'statement-charges.txt'),
    join(CLUSTER_PATHS.folder, 'statement-payouts.txt'),
  ];
  writeFileSync(chargesFile, charges.map(({ txid }) => `${txid}\n`).join(''));
  writeFileSync(payoutsFile, payouts.map(({ reference }) => `${reference}\n`).join(''));
  const { stdout } = await cluster.gateway([
    'reconcile',
    'references',
    '--charges',
    chargesFile,
    '--payouts',
    payoutsFile,
  ]);
  const report = JSON.parse(stdout) as Record<'charges' | 'payouts', { unknown: string[] }>;
  return [...report.charges.unknown, ...report.payouts.unknown];
}

/** Payouts that the provider made for a withdrawal. */
async function payoutsOf(cluster: RunningCluster, withdrawalId: string): Promise<number> {
  const { payouts } = await providerBooks(cluster);
  return payouts.filter(({ reference, status }) => reference === payoutReferenceOf(withdrawalId) && status === 'paid')
    .length;
}

interface ProviderBooks {
  readonly charges: readonly { readonly txid: string }[];
  readonly payouts: readonly { readonly reference: string; readonly status: string }[];
}

async function providerBooks({ environment }: RunningCluster): Promise<ProviderBooks> {
  const response = await fetch(`${environment['SIMULATOR_CONTROL_URL']}/control/books`, {
    signal: AbortSignal.timeout(5_000),
  });
  if (!response.ok) throw new Failure(`the simulator's books: status ${response.status}`);
  return (await response.json()) as ProviderBooks;
}

/** Null: there is no such payment. */
async function statusOf(gateway: Gateway, id: string): Promise<string | null> {
  const kind = id.startsWith('dep_') ? 'deposit' : 'withdrawal';
  const { code, stdout } = await gateway([kind, 'show', id]);
  return code === 0 ? (JSON.parse(stdout) as Record<string, { status: string }>)[kind]!.status : null;
}

/** Ids of a deposit's events. */
async function eventsOf(gateway: Gateway, id: string): Promise<string[]> {
  return ((await answerOf(gateway, ['deposit', 'show', id])) as { events: { id: string }[] }).events.map(
    (event) => event.id,
  );
}

async function succeeds(gateway: Gateway, args: string[]): Promise<boolean> {
  const { code, stderr } = await gateway(args);
  if (code !== 0) say(`  "gateway ${args.join(' ')}": ${stderr.trim()}`);
  return code === 0;
}
