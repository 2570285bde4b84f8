// The decision on one request: with a reason, and for an approval with what confirms that it is this one.
import { useState } from 'react';
import type { Asking } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { proofOf } from '../../api/passkeys.js';
import { refreshShown } from '../../api/queries.js';
import { useSession } from '../../api/session.js';
import { useWords } from '../../preferences.js';
import { PanelDialog } from '../../ui/dialog.js';
import { FaultNotice } from '../../ui/states.js';
import { say } from '../../ui/toast.js';
import { useAct } from '../../ui/use-act.js';
import { caseWords } from '../../words/case.js';
import { commonWords } from '../../words/common.js';
import { paymentWords } from '../../words/payment.js';
import { recordWords } from '../../words/records.js';
import { ConfirmField } from '../case/confirm-field.js';
import { Now } from '../case/now.js';
import { ReasonField } from '../case/reason-field.js';
import type { Approval } from './types.js';
import type { Created } from '../../ui/new-key.js';

const SHORTEST_REASON = 3;

export interface RequestDialogProps {
  readonly request: Approval;
  readonly decision: 'approve' | 'reject';
  readonly onKey: (created: Created) => void;
  readonly onClose: () => void;
}

export function RequestDialog({ request, decision, onKey, onClose }: RequestDialogProps) {
  const { approvals: words } = useWords(recordWords);
  const { reasonTooShort, confirmWrong } = useWords(caseWords);
  const { seen } = useWords(paymentWords);
  const { cancel } = useWords(commonWords);
  const [reason, setReason] = useState('');
  const [confirm, setConfirm] = useState('');
  const [isTried, setTried] = useState(false);
  const session = useSession();
  const { state, send } = useAct(async (body: Asking<'decideApproval'>['body']) => {
    const { approves: kind } = request;
    const act = { subject_id: request.id, reason: body.reason };
    const proof = decision === 'approve' && kind !== null ? await proofOf(session, { kind, ...act }) : {};
    return ask('decideApproval', { params: { id: request.id }, body: { ...body, ...proof } });
  });
  const wanted = decision === 'approve' ? request.approve.confirm : null;
  const isTyped = wanted === null || confirm.trim().toLowerCase() === wanted.toLowerCase();
  const problems = [
    ...(reason.trim().length < SHORTEST_REASON ? [reasonTooShort] : []),
    ...(isTyped ? [] : [confirmWrong]),
  ];
  const isOver = state.kind !== 'idle';
  const submit = async () => {
    setTried(true);
    if (isOver || problems.length > 0) return;
    const ended = await send({
      decision,
      reason: reason.trim(),
      ...(wanted === null ? {} : { confirm: confirm.trim() }),
    });
    if (ended.kind === 'done') {
      if (ended.answer.key !== null) onKey(ended.answer.key);
      say({ text: words.done[ended.answer.status], tone: 'good' });
      onClose();
    }
    await refreshShown();
  };
  return (
    <PanelDialog
      title={words.kinds[request.kind]}
      onClose={onClose}
      isStaying={state.kind === 'sending'}
      onSend={() => void submit()}
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <ReasonField label={words.reason} value={reason} onChange={setReason} autoFocus />
        {wanted !== null && <ConfirmField wanted={wanted} value={confirm} onChange={setConfirm} />}
        {isTried &&
          problems.map((problem) => (
            <p key={problem} className="problem" role="alert">
              {problem}
            </p>
          ))}
        {(state.kind === 'refused' || state.kind === 'unknown') && (
          <FaultNotice fault={state.fault}>
            {state.kind === 'unknown' && <p>{words.unknown}</p>}
            <Now fault={state.fault} />
          </FaultNotice>
        )}
        <div className="buttons">
          {state.kind === 'refused' || state.kind === 'unknown' ? (
            <button type="button" className="button" onClick={onClose}>
              {seen}
            </button>
          ) : (
            <>
              <button
                type="submit"
                className={`button button-${decision === 'approve' ? 'good' : 'bad'}`}
                aria-disabled={isOver}
              >
                {words[decision]}
              </button>
              <button type="button" className="button" onClick={onClose}>
                {cancel}
              </button>
            </>
          )}
        </div>
      </form>
    </PanelDialog>
  );
}
