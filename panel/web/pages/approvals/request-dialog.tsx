// The decision on one request: with a reason, and for an approval with what confirms that it is this one.
import { useState } from 'react';
import { ask } from '../../api/client.js';
import { proofOf } from '../../api/passkeys.js';
import { refreshShown } from '../../api/queries.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import type { NewKeyAnswer } from '../../ui/new-key.js';
import { say } from '../../ui/toast.js';
import { approvalTexts } from '../../texts/approvals.js';
import { caseTexts } from '../../texts/case.js';
import { paymentTexts } from '../../texts/payment.js';
import { ActForm } from '../acts/act-form.js';
import { useFormAct } from '../acts/use-form-act.js';
import { ConfirmField, isConfirmed } from '../case/confirm-field.js';
import { isShort, ReasonField } from '../case/reason-field.js';
import type { Approval } from './types.js';

export interface RequestDialogProps {
  readonly request: Approval;
  readonly decision: 'approve' | 'reject';
  readonly onKey: (created: NewKeyAnswer) => void;
  readonly onClose: () => void;
}

export function RequestDialog(props: RequestDialogProps) {
  const { request, decision, onClose } = props;
  const texts = useTexts(approvalTexts);
  const { seen } = useTexts(paymentTexts);
  const { form, reason, setReason, confirm, setConfirm, wanted } = useRequestDecision(props);
  return (
    <ActForm
      title={texts.kinds[request.kind]}
      form={form}
      send={texts[decision]}
      tone={decision === 'approve' ? 'good' : 'bad'}
      seen={seen}
      unknown={texts.unknown}
      onClose={onClose}
    >
      <ReasonField label={texts.reason} value={reason} onChange={setReason} autoFocus />
      {wanted !== null && <ConfirmField wanted={wanted} value={confirm} onChange={setConfirm} />}
    </ActForm>
  );
}

function useRequestDecision({ request: { id, approve, approves }, decision, onKey, onClose }: RequestDialogProps) {
  const texts = useTexts(approvalTexts);
  const { reasonTooShort, confirmWrong } = useTexts(caseTexts);
  const session = useSession();
  const [reason, setReason] = useState('');
  const [confirm, setConfirm] = useState('');
  const wanted = decision === 'approve' ? approve.confirm : null;
  const form = useFormAct({
    problems: [...(isShort(reason) ? [reasonTooShort] : []), ...(isConfirmed(wanted, confirm) ? [] : [confirmWrong])],
    ask: async () => {
      const given = { reason: reason.trim() };
      const isSigned = decision === 'approve' && approves !== null;
      const proof = isSigned ? await proofOf(session, { kind: approves, subject_id: id, ...given }) : {};
      const typed = wanted === null ? {} : { confirm: confirm.trim() };
      return ask('decideApproval', { params: { id }, body: { decision, ...given, ...typed, ...proof } });
    },
    onDone: ({ key, status }) => {
      if (key !== null) onKey(key);
      say({ text: texts.done[status], tone: 'good' });
      onClose();
      void refreshShown();
    },
  });
  return { form, reason, setReason, confirm, setConfirm, wanted };
}
