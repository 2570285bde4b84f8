// The dialog of one decision: its reason, what confirms it, and what became of it.
import { useWords } from '../../preferences.js';
import { useMoney } from '../../ui/money.js';
import { FaultNotice } from '../../ui/states.js';
import { caseWords } from '../../words/case.js';
import { commonWords } from '../../words/common.js';
import { ActForm } from '../acts/act-form.js';
import { Changed } from './changed.js';
import { ConfirmField } from './confirm-field.js';
import type { useOutcome } from './outcome.js';
import { ReadyReasons, ReasonField } from './reason-field.js';
import type { Case, Decision } from './types.js';
import { useDecision } from './use-decision.js';

export interface DecisionDialogProps {
  readonly case: Case;
  readonly decision: Decision;
  readonly seenVersion: number;
  readonly onSeen: () => void;
  readonly onClose: () => void;
}

export function DecisionDialog(props: DecisionDialogProps) {
  const { case: shown, decision, seenVersion, onSeen, onClose } = props;
  const words = useWords(caseWords);
  const { kinds, cancel } = useWords(commonWords);
  const money = useMoney();
  const { form, found, reason, setReason, confirm, setConfirm, wanted } = useDecision(props);
  const { state, reset } = form;
  return (
    <ActForm
      title={`${words.dialog[decision]}: ${kinds[shown.kind]} · ${money(shown.amount)}`}
      form={form}
      send={words.send[decision]}
      tone={decision === 'approve' ? 'good' : 'bad'}
      seen={cancel}
      unknown={words.unknown}
      looking={state.kind === 'unknown' ? <Unknown found={found} fault={state.fault} onAgain={reset} /> : undefined}
      onClose={onClose}
    >
      <p>{effectOf(words, shown, decision)}</p>
      {state.kind !== 'refused' && shown.version !== seenVersion && <Changed case={shown} onSeen={onSeen} />}
      <ReadyReasons reasons={words.readyReasons[decision]} onChoose={setReason} />
      <ReasonField
        label={words.reason}
        value={reason}
        onChange={setReason}
        isOptional={decision === 'approve'}
        isDisabled={state.kind === 'sending' || state.kind === 'unknown'}
      />
      {wanted !== null && <ConfirmField wanted={wanted} value={confirm} onChange={setConfirm} />}
    </ActForm>
  );
}

function effectOf({ effects }: (typeof caseWords)['en'], { kind, approvals }: Case, decision: Decision): string {
  if (decision !== 'approve') return effects[decision];
  if (kind === 'deposit') return effects.approveDeposit;
  const isFirstOfTwo = approvals.needed - approvals.given.length > 1;
  return isFirstOfTwo ? effects.approveWithdrawalFirst : effects.approveWithdrawal;
}

interface UnknownProps {
  readonly found: ReturnType<typeof useOutcome>;
  readonly fault: Parameters<typeof FaultNotice>[0]['fault'];
  readonly onAgain: () => void;
}

function Unknown({ found, fault, onAgain }: UnknownProps) {
  const words = useWords(caseWords);
  const { again } = useWords(commonWords);
  if (found === 'looking')
    return (
      <div className="notice notice-wait" role="status">
        <p>
          <strong>{words.unknownTitle}</strong>
        </p>
        <p>{words.unknown}</p>
      </div>
    );
  return (
    <FaultNotice fault={fault}>
      <p>{words.notFound}</p>
      <button type="button" className="button" onClick={onAgain}>
        {again}
      </button>
    </FaultNotice>
  );
}
