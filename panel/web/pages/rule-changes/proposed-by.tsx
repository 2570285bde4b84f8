// Who proposed a change and why, and who else must approve it. Only an operator's words are marked as from outside.
import { useTexts } from '../../preferences.js';
import { Theirs, Words } from '../../ui/theirs.js';
import { ruleChangeTexts } from '../../texts/rule-changes.js';
import type { RuleChange } from './types.js';

interface JustificationProps {
  readonly of: Pick<RuleChange, 'justification' | 'is_operators'>;
}

export function Justification({ of: { justification: text, is_operators: isTheirs } }: JustificationProps) {
  if (text === '') return null;
  return isTheirs ? <Theirs text={text} /> : <Words text={`“${text}”`} />;
}

interface MissingProps {
  readonly of: Pick<RuleChange, 'requested_by' | 'is_operators' | 'approvals' | 'status'>;
}

/** Whose approvals it has, the proposer's among them, and whose it still needs. */
export function MissingApprovals({ of }: MissingProps) {
  const { missing: texts } = useTexts(ruleChangeTexts);
  const { requested_by: by, is_operators: isTheirs, approvals, status } = of;
  if (status !== 'pending_approval') return null;
  const [first] = approvals.given;
  const proposer = isTheirs ? null : by;
  if (first === undefined)
    return <p className="quiet">{proposer === null ? texts.ofOperator : texts.ofStaff(proposer)}</p>;
  if (approvals.given.length >= approvals.needed) return null;
  return <p className="quiet">{first === proposer ? texts.proposerApproved(first) : texts.approved(first)}</p>;
}
