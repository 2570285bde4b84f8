// The dialog of a safe act on a payment: what it does, its reason, and what became of it.
import { useState } from 'react';
import type { Answered, Asking } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { proofOf } from '../../api/passkeys.js';
import { refreshShown } from '../../api/queries.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { Facts } from '../../ui/facts.js';
import { useMoney } from '../../ui/money.js';
import { useInstantText } from '../../ui/time.js';
import { Words } from '../../ui/theirs.js';
import { say } from '../../ui/toast.js';
import { caseTexts } from '../../texts/case.js';
import { commonTexts } from '../../texts/common.js';
import { failureTexts } from '../../texts/failures.js';
import { paymentTexts } from '../../texts/payment.js';
import { ActForm } from '../acts/act-form.js';
import { useFormAct } from '../acts/use-form-act.js';
import { ConfirmField, isConfirmed } from '../case/confirm-field.js';
import { DecisionLine } from '../case/history.js';
import { isShort, ReasonField } from '../case/reason-field.js';
import { Traceless } from './traceless.js';
import type { PaymentProps } from './types.js';

type Body = Asking<'actOnPayment'>['body'];
/** Those that have their own button; an event has its redelivery button next to it. */
export type ActName = 'look_up' | 'cancel' | 'write_off';

interface ActDialogProps extends PaymentProps {
  readonly act: ActName;
  readonly onClose: () => void;
}

export function ActDialog(props: ActDialogProps) {
  const { act, onClose } = props;
  const texts = useTexts(paymentTexts);
  const { reason: reasonLabel } = useTexts(caseTexts);
  const { form, wanted, reason, setReason, evidence, setEvidence, confirm, setConfirm } = useSafeAct(props);
  return (
    <ActForm
      title={texts.actNames[act]}
      form={form}
      send={texts.send}
      tone="good"
      seen={texts.seen}
      unknown={texts.unknown}
      onClose={onClose}
    >
      <p>{texts.actEffects[act]}</p>
      {act === 'write_off' && <LostPayout payment={props.payment} />}
      {act !== 'look_up' && <ReasonField label={reasonLabel} value={reason} onChange={setReason} autoFocus />}
      {act === 'write_off' && <ReasonField label={texts.evidenceHint} value={evidence} onChange={setEvidence} />}
      {wanted !== null && <ConfirmField wanted={wanted} value={confirm} onChange={setConfirm} />}
    </ActForm>
  );
}

/** What two people write off, and what the first of them has stated. */
function LostPayout({ payment }: PaymentProps) {
  const texts = useTexts(paymentTexts);
  const { amount: amountText } = useTexts(caseTexts);
  const money = useMoney();
  const { amount, player_ref: player, send_claimed_at: sentAt, traceless, operation } = payment;
  const last = payment.write_offs.at(-1);
  const request = last?.decision === 'request_conclusion' ? last : undefined;
  return (
    <>
      <Facts
        of={[
          [texts.playerRef, player],
          [amountText, money(amount)],
        ]}
      />
      {traceless !== null && (
        <p>
          <Traceless sentAt={sentAt} of={traceless} zone={operation.time_zone} />
        </p>
      )}
      {request !== undefined && (
        <p>
          <DecisionLine decision={request} /> · {texts.evidence}: <Words text={`“${request.evidence}”`} />
        </p>
      )}
    </>
  );
}

function useSafeAct({ payment, act, onClose }: ActDialogProps) {
  const texts = useTexts(paymentTexts);
  const { reasonTooShort, confirmWrong } = useTexts(caseTexts);
  const session = useSession();
  const [version] = useState(payment.version);
  const [reason, setReason] = useState('');
  const [evidence, setEvidence] = useState('');
  const [confirm, setConfirm] = useState('');
  const lookedUp = useLookedUp();
  const wanted = act === 'write_off' ? payment.acts.write_off.confirm : null;
  const lacksTexts = (act !== 'look_up' && isShort(reason)) || (act === 'write_off' && isShort(evidence));
  const form = useFormAct({
    problems: [...(lacksTexts ? [reasonTooShort] : []), ...(isConfirmed(wanted, confirm) ? [] : [confirmWrong])],
    ask: async () => {
      const body = bodyOf(act, { version, reason, evidence, confirm });
      const proof = body.act === 'write_off' ? await proofOf(session, writeOffOf(payment.id, body)) : {};
      return ask('actOnPayment', { params: { id: payment.id }, body: { ...body, ...proof } });
    },
    onDone: ({ outcome, status, looked_up: found }) => {
      say({ text: found === null ? texts.outcomes[outcome] : lookedUp(status, found), tone: 'good' });
      onClose();
      void refreshShown();
    },
  });
  return { form, wanted, reason, setReason, evidence, setEvidence, confirm, setConfirm };
}

/** What a look-up has found, as one sentence. */
function useLookedUp() {
  const texts = useTexts(paymentTexts);
  const { statuses } = useTexts(commonTexts);
  const meanings = useTexts(failureTexts);
  const money = useMoney();
  const instant = useInstantText();
  return (status: string, found: NonNullable<Answered<'actOnPayment'>['looked_up']>) => {
    const { is_changed: isChanged, amount, at, failure_code: code } = found;
    const failure = code === null ? '' : ` ${code}: ${meanings[code] ?? ''}`;
    const what = `${statuses[status] ?? status}, ${money(amount)}, ${texts.sinceThen} ${instant(at)}.`;
    const said = isChanged ? texts.lookUpChanged : texts.lookUpSame;
    return `${texts.outcomes.done} ${said} ${what}${failure}`.trim();
  };
}

interface ActFields {
  readonly version: number;
  readonly reason: string;
  readonly evidence: string;
  readonly confirm: string;
}

function writeOffOf(id: string, { version, reason, evidence }: Extract<Body, { act: 'write_off' }>) {
  return { kind: 'withdrawal.write_off', subject_id: id, version, reason, evidence } as const;
}

function bodyOf(act: ActName, { version, reason, evidence, confirm }: ActFields): Body {
  switch (act) {
    case 'look_up':
      return { act };
    case 'cancel':
      return { act, reason: reason.trim(), version };
    case 'write_off':
      return { act, reason: reason.trim(), evidence: evidence.trim(), version, confirm: confirm.trim() };
  }
}
