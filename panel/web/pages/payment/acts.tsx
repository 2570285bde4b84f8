// What may safely be done with a payment, and why not the rest. Nothing here makes a payment paid.
import { useState } from 'react';
import type { Asking } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { proofOf } from '../../api/passkeys.js';
import { refreshShown } from '../../api/queries.js';
import { useSession } from '../../api/session.js';
import { useWords } from '../../preferences.js';
import { ActButton } from '../../ui/act-button.js';
import { PanelDialog } from '../../ui/dialog.js';
import { FaultNotice } from '../../ui/states.js';
import { say } from '../../ui/toast.js';
import { useAct } from '../../ui/use-act.js';
import { caseWords } from '../../words/case.js';
import { commonWords } from '../../words/common.js';
import { paymentWords } from '../../words/payment.js';
import { ConfirmField } from '../case/confirm-field.js';
import { Now } from '../case/now.js';
import { ReasonField } from '../case/reason-field.js';
import type { PaymentProps } from './types.js';

type Body = Asking<'actOnPayment'>['body'];
/** Those that have a button of their own; an event is delivered again beside it. */
type ActName = 'look_up' | 'cancel' | 'write_off';

const ACTS: readonly ActName[] = ['look_up', 'cancel', 'write_off'];
const SHORTEST_REASON = 3;

export function Acts({ payment }: PaymentProps) {
  const words = useWords(paymentWords);
  const [acting, setActing] = useState<ActName | null>(null);
  return (
    <aside className="decision-panel" aria-label={words.acts}>
      <h2>{words.acts}</h2>
      <div className="decision-buttons">
        {ACTS.filter((act) => act !== 'write_off' || payment.kind === 'withdrawal').map((act) => (
          <ActButton
            key={act}
            possibility={payment.acts[act]}
            tone={act === 'look_up' ? 'plain' : 'bad'}
            onAct={() => setActing(act)}
          >
            {words.actNames[act]}
          </ActButton>
        ))}
      </div>
      <p className="quiet">{words.never}</p>
      {acting !== null && <ActDialog payment={payment} act={acting} onClose={() => setActing(null)} />}
    </aside>
  );
}

interface ActDialogProps extends PaymentProps {
  readonly act: ActName;
  readonly onClose: () => void;
}

function ActDialog({ payment, act, onClose }: ActDialogProps) {
  const words = useWords(paymentWords);
  const { reasonTooShort, confirmWrong, reason: reasonLabel } = useWords(caseWords);
  const { cancel } = useWords(commonWords);
  const [seenVersion] = useState(payment.version);
  const [reason, setReason] = useState('');
  const [evidence, setEvidence] = useState('');
  const [confirm, setConfirm] = useState('');
  const [isTried, setTried] = useState(false);
  const session = useSession();
  const { state, send, reset } = useAct(async (body: Body) => {
    const proof = body.act === 'write_off' ? await proofOf(session, writeOffOf(payment.id, body)) : {};
    return ask('actOnPayment', { params: { id: payment.id }, body: { ...body, ...proof } });
  });
  const needsReason = act !== 'look_up';
  const wanted = act === 'write_off' ? payment.acts.write_off.confirm : null;
  const isShort = (text: string) => text.trim().length < SHORTEST_REASON;
  const problems = [
    ...((needsReason && isShort(reason)) || (act === 'write_off' && isShort(evidence)) ? [reasonTooShort] : []),
    ...(wanted !== null && confirm.trim().toLowerCase() !== wanted.toLowerCase() ? [confirmWrong] : []),
  ];
  const isOver = state.kind !== 'idle';
  const submit = async () => {
    setTried(true);
    if (isOver || problems.length > 0) return;
    const ended = await send(bodyOf(act, { version: seenVersion, reason, evidence, confirm }));
    void refreshShown();
    if (ended.kind !== 'done') return;
    say({ text: words.outcomes[ended.answer.outcome], tone: 'good' });
    onClose();
  };
  return (
    <PanelDialog
      title={words.actNames[act]}
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
        <p>{words.actEffects[act]}</p>
        {needsReason && <ReasonField label={reasonLabel} value={reason} onChange={setReason} autoFocus />}
        {act === 'write_off' && <ReasonField label={words.evidenceHint} value={evidence} onChange={setEvidence} />}
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
            <button
              type="button"
              className="button"
              onClick={() => {
                reset();
                onClose();
              }}
            >
              {words.seen}
            </button>
          ) : (
            <>
              <button type="submit" className="button button-good" aria-disabled={isOver}>
                {words.send}
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

interface Filled {
  readonly version: number;
  readonly reason: string;
  readonly evidence: string;
  readonly confirm: string;
}

function writeOffOf(id: string, { version, reason, evidence }: Extract<Body, { act: 'write_off' }>) {
  return { kind: 'withdrawal.write_off', subject_id: id, version, reason, evidence } as const;
}

function bodyOf(act: ActName, { version, reason, evidence, confirm }: Filled): Body {
  switch (act) {
    case 'look_up':
      return { act };
    case 'cancel':
      return { act, reason: reason.trim(), version };
    case 'write_off':
      return { act, reason: reason.trim(), evidence: evidence.trim(), version, confirm: confirm.trim() };
  }
}
