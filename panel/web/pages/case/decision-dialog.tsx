// The dialog of one decision: its reason, what confirms it, and what became of it.
import { useTexts } from '../../preferences.js';
import { useMoney } from '../../ui/money.js';
import { FaultNotice } from '../../ui/states.js';
import { caseTexts } from '../../texts/case.js';
import { commonTexts } from '../../texts/common.js';
import { ActForm } from '../acts/act-form.js';
import { BlockFields } from './block-fields.js';
import { Changed } from './changed.js';
import { ConfirmField } from './confirm-field.js';
import { DecidedAbout } from './decided-about.js';
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
  const texts = useTexts(caseTexts);
  const { kinds, cancel } = useTexts(commonTexts);
  const money = useMoney();
  const { form, found, reason, setReason, confirm, setConfirm, wanted, isReasonNeeded, block, setBlock } =
    useDecision(props);
  const { state, reset } = form;
  // What goes back is what was paid.
  const moved = decision === 'return' ? (shown.paid_amount ?? shown.amount) : shown.amount;
  return (
    <ActForm
      title={`${texts.dialog[decision]}: ${kinds[shown.kind]} · ${money(moved)}`}
      form={form}
      send={texts.send[decision]}
      tone={decision === 'approve' ? 'good' : 'bad'}
      seen={cancel}
      unknown={texts.unknown}
      looking={state.kind === 'unknown' ? <Unknown found={found} fault={state.fault} onAgain={reset} /> : undefined}
      onClose={onClose}
    >
      <DecidedAbout case={shown} decision={decision} />
      <p>{effectOf(texts, shown, decision)}</p>
      {state.kind !== 'refused' && shown.version !== seenVersion && <Changed case={shown} onSeen={onSeen} />}
      <ReadyReasons reasons={texts.readyReasons[decision]} onChoose={setReason} />
      <ReasonField
        label={texts.reason}
        value={reason}
        onChange={setReason}
        isOptional={!isReasonNeeded}
        isDisabled={state.kind === 'sending' || state.kind === 'unknown'}
      />
      {decision !== 'approve' && shown.may_block.possible && (
        <BlockFields case={shown} block={block} onChange={setBlock} />
      )}
      {wanted !== null && <ConfirmField wanted={wanted} value={confirm} onChange={setConfirm} />}
    </ActForm>
  );
}

function effectOf({ effects }: (typeof caseTexts)['en'], { kind, approvals }: Case, decision: Decision): string {
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
  const texts = useTexts(caseTexts);
  const { again } = useTexts(commonTexts);
  if (found === 'looking')
    return (
      <div className="notice notice-wait" role="status">
        <p>
          <strong>{texts.unknownTitle}</strong>
        </p>
        <p>{texts.unknown}</p>
      </div>
    );
  return (
    <FaultNotice fault={fault}>
      <p>{texts.notFound}</p>
      <button type="button" className="button" onClick={onAgain}>
        {again}
      </button>
    </FaultNotice>
  );
}
