// The decision on a proposed change. It carries what the person saw when it was opened: the digest of the proof, and
// how many had approved.
import { useState } from 'react';
import type { Answered, Asking } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { proofOf } from '../../api/passkeys.js';
import { refreshShown } from '../../api/queries.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { say } from '../../ui/toast.js';
import { caseTexts } from '../../texts/case.js';
import { paymentTexts } from '../../texts/payment.js';
import { ruleChangeTexts } from '../../texts/rule-changes.js';
import { ActForm } from '../acts/act-form.js';
import { useFormAct } from '../acts/use-form-act.js';
import { ConfirmField, isConfirmed } from '../case/confirm-field.js';
import { isShort, ReasonField } from '../case/reason-field.js';
import type { ActName, ChangeProps } from './types.js';

type Body = Asking<'actOnRuleChange'>['body'];

interface ChangeDialogProps extends ChangeProps {
  readonly act: ActName;
  readonly onClose: () => void;
}

export function ChangeDialog(props: ChangeDialogProps) {
  const { act, onClose } = props;
  const texts = useTexts(ruleChangeTexts);
  const { reason: reasonLabel } = useTexts(caseTexts);
  const { seen } = useTexts(paymentTexts);
  const { form, digest, wanted, reason, setReason, confirm, setConfirm } = useChangeAct(props);
  return (
    <ActForm
      title={texts.acts[act]}
      form={form}
      send={texts.acts[act]}
      tone={act === 'reject' ? 'bad' : 'good'}
      seen={seen}
      unknown={texts.unknown}
      onClose={onClose}
    >
      <p>{texts.effects[act]}</p>
      {act === 'approve' && (
        <p>
          {texts.digest}: <code>{digest}</code>
        </p>
      )}
      {wanted !== null && <ConfirmField wanted={wanted} value={confirm} onChange={setConfirm} />}
      {act !== 'recompute' && (
        <ReasonField
          label={reasonLabel}
          value={reason}
          onChange={setReason}
          isOptional={act === 'approve'}
          autoFocus={act === 'reject'}
        />
      )}
    </ActForm>
  );
}

function useChangeAct({ change, act, onClose }: ChangeDialogProps) {
  const texts = useTexts(ruleChangeTexts);
  const { reasonTooShort, confirmWrong } = useTexts(caseTexts);
  const session = useSession();
  const [seen] = useState({ digest: change.proof?.digest ?? null, approvals: change.approvals.given.length });
  const [wanted] = useState(act === 'approve' ? change.acts.approve.confirm : null);
  const [reason, setReason] = useState('');
  const [confirm, setConfirm] = useState('');
  const form = useFormAct({
    problems: [
      ...(act === 'reject' && isShort(reason) ? [reasonTooShort] : []),
      ...(isConfirmed(wanted, confirm) ? [] : [confirmWrong]),
    ],
    ask: async () => {
      const body = bodyOf(act, { reason: reason.trim(), confirm: confirm.trim(), ...seen });
      const proof = body.act === 'approve' ? await proofOf(session, approvalOf(change, body)) : {};
      return ask('actOnRuleChange', { params: { id: change.id }, body: { ...body, ...proof } });
    },
    onDone: (answer) => {
      say({ text: saidOf(act, answer, texts), tone: 'good' });
      onClose();
      void refreshShown();
    },
  });
  return { form, digest: seen.digest, wanted, reason, setReason, confirm, setConfirm };
}

interface RuleChangeForm {
  readonly reason: string;
  readonly digest: string | null;
  readonly approvals: number;
  readonly confirm: string;
}

function approvalOf(
  { id, base_version: version }: ChangeProps['change'],
  { digest, reason }: Extract<Body, { act: 'approve' }>,
) {
  return { kind: 'rule_change.approve', subject_id: id, version, digest, reason } as const;
}

function bodyOf(act: ActName, { reason, digest, approvals, confirm }: RuleChangeForm): Body {
  switch (act) {
    case 'approve':
      return { act, reason, digest: digest ?? '', confirm };
    case 'reject':
      return { act, reason, digest, approvals };
    case 'recompute':
      return { act, digest, approvals };
  }
}

type Texts = (typeof ruleChangeTexts)['en'];

function saidOf(act: ActName, { outcome, status }: Answered<'actOnRuleChange'>, texts: Texts): string {
  if (outcome === 'under_way') return texts.underWay;
  return act === 'recompute' ? texts.recomputed : texts.done[status];
}
