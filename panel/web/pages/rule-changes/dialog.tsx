// The decision on a proposed change. An approval carries the digest of the proof that the person saw when it was opened.
import { useState } from 'react';
import type { Answered, Asking } from '../../../../contract/panel/routes.js';
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
import { ruleChangeWords } from '../../words/rule-changes.js';
import { ConfirmField } from '../case/confirm-field.js';
import { Now } from '../case/now.js';
import { ReasonField } from '../case/reason-field.js';
import type { ActName, ChangeProps } from './types.js';

type Body = Asking<'actOnRuleChange'>['body'];

const SHORTEST_REASON = 3;

interface ChangeDialogProps extends ChangeProps {
  readonly act: ActName;
  readonly onClose: () => void;
}

export function ChangeDialog({ change, act, onClose }: ChangeDialogProps) {
  const words = useWords(ruleChangeWords);
  const { reasonTooShort, confirmWrong, reason: reasonLabel } = useWords(caseWords);
  const { seen } = useWords(paymentWords);
  const { cancel } = useWords(commonWords);
  const [digest] = useState(change.proof?.digest ?? '');
  const [wanted] = useState(act === 'approve' ? change.acts.approve.confirm : null);
  const [reason, setReason] = useState('');
  const [confirm, setConfirm] = useState('');
  const [isTried, setTried] = useState(false);
  const session = useSession();
  const { state, send } = useAct(async (body: Body) => {
    const proof = body.act === 'approve' ? await proofOf(session, approvalOf(change, body)) : {};
    return ask('actOnRuleChange', { params: { id: change.id }, body: { ...body, ...proof } });
  });
  const problems = [
    ...(act === 'reject' && reason.trim().length < SHORTEST_REASON ? [reasonTooShort] : []),
    ...(wanted !== null && confirm.trim().toLowerCase() !== wanted.toLowerCase() ? [confirmWrong] : []),
  ];
  const isOver = state.kind !== 'idle';
  const submit = async () => {
    setTried(true);
    if (isOver || problems.length > 0) return;
    const ended = await send(bodyOf(act, { reason: reason.trim(), digest, confirm: confirm.trim() }));
    void refreshShown();
    if (ended.kind !== 'done') return;
    say({ text: saidOf(act, ended.answer, words), tone: 'good' });
    onClose();
  };
  return (
    <PanelDialog
      title={words.acts[act]}
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
        <p>{words.effects[act]}</p>
        {act === 'approve' && (
          <p>
            {words.digest}: <code>{digest}</code>
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
                className={`button button-${act === 'reject' ? 'bad' : 'good'}`}
                aria-disabled={isOver}
              >
                {words.acts[act]}
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
  readonly reason: string;
  readonly digest: string;
  readonly confirm: string;
}

function approvalOf(
  { id, base_version: version }: ChangeProps['change'],
  { digest, reason }: Extract<Body, { act: 'approve' }>,
) {
  return { kind: 'rule_change.approve', subject_id: id, version, digest, reason } as const;
}

function bodyOf(act: ActName, { reason, digest, confirm }: Filled): Body {
  switch (act) {
    case 'approve':
      return { act, reason, digest, confirm };
    case 'reject':
      return { act, reason };
    case 'recompute':
      return { act };
  }
}

type Words = (typeof ruleChangeWords)['en'];

function saidOf(act: ActName, { outcome, status }: Answered<'actOnRuleChange'>, words: Words): string {
  if (outcome === 'under_way') return words.underWay;
  return act === 'recompute' ? words.recomputed : words.done[status];
}
