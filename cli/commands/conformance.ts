// `gateway conformance`: an operator's conformance report as evidence that it may go live.
import type { Command } from 'commander';
import type { PassedReport } from '../../staff/acts/conformance.js';
import { actorOf, notPermitted } from '../actor.js';
import { type Answer, answer, type CommandContext, type Registrar } from '../context.js';
import { noSuchOperation } from '../inputs/existing.js';
import { readId } from '../inputs/identifiers.js';
import { FileArgument, FileOption } from '../inputs/named-file.js';
import { MOST_PEM_BYTES, MOST_REPORT_BYTES } from '../inputs/sizes.js';
import { examples, personOption } from '../options.js';
import { badInput, refused } from '../problem.js';

export function registerConformance(program: Command, run: Registrar): void {
  const conformance = program
    .command('conformance')
    .description("Keep an operator's conformance report as evidence that it may go live");
  conformance
    .command('record')
    .summary('Verify a conformance report and record it')
    .description(
      'Verify the signature of a conformance report and record it in the audit trail, with the digest of the file. ' +
        'Only a report in which every check passed is recorded. Keep the file with the go-live papers.',
    )
    .argument('<operation>', 'the operation (op_…)')
    .addArgument(new FileArgument('<report>', 'the report, as JSON or as a page', MOST_REPORT_BYTES))
    .addOption(
      new FileOption(
        '--public-key <file>',
        'the public key (PEM) that the operator gave you, not one that came with the report',
        MOST_PEM_BYTES,
      ).makeOptionMandatory(),
    )
    .addOption(personOption('who records it'))
    .addHelpText(
      'after',
      examples('conformance record op_0123456789abcdef0123456789abcdef report.html --public-key casa-azul.public.pem'),
    )
    .action(run(record));
}

async function record(
  context: CommandContext,
  operation: string,
  path: string,
  options: { readonly publicKey: string; readonly as?: string },
): Promise<Answer> {
  const operationId = readId('operation', 'OPERATION', operation);
  const bytes = await context.readFile('REPORT', path, MOST_REPORT_BYTES);
  const publicKey = await context.readFile('--public-key', options.publicKey, MOST_PEM_BYTES);
  const report = await passedReport(bytes, publicKey.toString('utf8'));
  const actor = await actorOf(context, options.as);
  const { recordConformance } = await import('../../staff/acts/conformance.js');
  const outcome = await context.withDatabase((database) => recordConformance(database, actor, operationId, report));
  switch (outcome.kind) {
    case 'no_such_operation':
      throw noSuchOperation(operationId);
    case 'not_permitted':
      throw notPermitted(actor.handle, 'conformance.record');
    case 'recorded':
      return answer(presented(operationId, report));
  }
}

function presented(operationId: string, { endedAt, ...report }: PassedReport): object {
  return { operation_id: operationId, ...report, ended_at: endedAt };
}

/** Throws a CommandProblem for a report that is not genuine, or did not pass. */
async function passedReport(bytes: Buffer, publicKey: string): Promise<PassedReport> {
  const { readSignedReport } = await import('../../conformance/report/read.js');
  const { isSignedBy } = await import('../../conformance/report/signature.js');
  const { sha256Hex } = await import('../../client/signing.js');
  const signed = readSignedReport(bytes);
  if (signed === null) throw badInput('REPORT', 'is no conformance report, or was changed');
  let isGenuine: boolean;
  try {
    isGenuine = isSignedBy(signed, publicKey);
  } catch {
    throw badInput('--public-key', 'must be an Ed25519 public key as PEM');
  }
  if (!isGenuine) throw badInput('REPORT', 'was signed by another key, or was changed');
  const { operator, run, ended_at: endedAt, contract, outcome, checks } = signed.report;
  if (outcome !== 'passed') throw refused(`the report is "${outcome}": only one that passed is evidence`);
  const { key } = signed.signature;
  return { operator, run, endedAt, contract, checks: checks.length, digest: sha256Hex(bytes), key };
}
