// Ids and names given on the command line.
import { type IdKind, isId, KEY_ID } from '../../domain/identifiers.js';
import { isPersonName, isReason, LONGEST_REASON, looksPersonal } from '../../domain/people.js';
import { operatingSystemUser } from '../context.js';
import { badInput } from '../problem.js';

const LONGEST_NAME = 80;

/** An id of that kind. Throws a CommandProblem that names `field`. */
export function readId(kind: IdKind, field: string, text: string): string {
  if (!isId(kind, text)) throw badInput(field, `must be the id of ${ARTICLES[kind]}`);
  return text;
}

/** The id of an API key of either environment. Throws a CommandProblem that names `field`. */
export function readKeyId(field: string, text: string): string {
  if (!KEY_ID.test(text)) throw badInput(field, 'must be the id of a key (key_test_… or key_live_…)');
  return text;
}

/** The id in `--operation` where it is a filter; null without it. */
export function readOperationFilter(text: string | undefined): string | null {
  return text === undefined ? null : readId('operation', '--operation', text);
}

const ARTICLES: Record<IdKind, string> = {
  deposit: 'a deposit (dep_…)',
  withdrawal: 'a withdrawal (wdr_…)',
  event: 'an event (evt_…)',
  operation: 'an operation (op_…)',
  alert: 'an alert (alr_…)',
  ruleChange: 'a rule change (chg_…)',
  approvalRequest: 'a request (apr_…)',
  staffAct: 'an act (act_…)',
  cashMovement: 'a cash movement (csh_…)',
  itemReturn: 'a return out of suspense (ret_…)',
};

/** An operation's name as the Temporal UI shows it. */
export function readName(field: string, text: string): string {
  const name = text.trim();
  if (name.length === 0 || name.length > LONGEST_NAME || /\p{Cc}/u.test(name)) {
    throw badInput(field, `must be 1 to ${LONGEST_NAME} characters on one line`);
  }
  return name;
}

/**
 * The person who acts: a name or user name, by default the operating system's. It is stored in the payment's history,
 * which must not contain personal data, so an e-mail address is refused.
 */
export function readPerson(text: string | undefined): string {
  const person = (text ?? operatingSystemUser()).trim().replace(/\s+/g, ' ');
  if (person.includes('@')) throw badInput('--as', 'give a name or user name, not an e-mail address');
  if (!isPersonName(person))
    throw badInput('--as', 'must be 1 to 64 letters, digits, spaces, dots, underscores or hyphens');
  return person;
}

/** The reason for a decision. Stored in the payment's history, so apparent personal data is refused. */
export function readReason(text: string | undefined): string {
  return readKeptLine('--reason', text ?? '');
}

/** The reference to a decision's evidence. Must not be empty. */
export function readEvidence(text: string): string {
  const evidence = readKeptLine('--evidence', text);
  if (evidence === '') throw badInput('--evidence', 'say where it is written: a ticket or letter');
  return evidence;
}

/** A reason that must be given. */
export function readGivenReason(text: string): string {
  const reason = readReason(text);
  if (reason === '') throw badInput('--reason', 'say why');
  return reason;
}

/** The reference to the document of a cash movement. */
export function readDocumentReference(text: string): string {
  const document = readKeptLine('--document', text);
  if (document === '') throw badInput('--document', 'say where it is written: a transfer slip, a letter, a ticket');
  return document;
}

function readKeptLine(option: string, text: string): string {
  const line = text.trim();
  if (!isReason(line)) throw badInput(option, `must be at most ${LONGEST_REASON} characters on one line`);
  if (looksPersonal(line)) {
    throw badInput(
      option,
      'holds what looks like an e-mail address, a document or a phone number; ' +
        'leave personal data out, it is kept with the decision',
    );
  }
  return line;
}
