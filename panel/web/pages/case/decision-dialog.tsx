// One decision: its reason, what confirms it, and what became of it. It is sent once, with the version that the person
// saw. While the outcome is unknown it is looked for; only then may the person decide again.
import { useState } from 'react';
import { ask } from '../../api/client.js';
import { proofOf } from '../../api/passkeys.js';
import { queryClient, read } from '../../api/queries.js';
import { useSession } from '../../api/session.js';
import { useWords } from '../../preferences.js';
import { PanelDialog } from '../../ui/dialog.js';
import { useMoney } from '../../ui/money.js';
import { FaultNotice } from '../../ui/states.js';
import { say } from '../../ui/toast.js';
import { useAct } from '../../ui/use-act.js';
import { caseWords } from '../../words/case.js';
import { commonWords } from '../../words/common.js';
import type { Case, Decision } from './types.js';
import { ConfirmField } from './confirm-field.js';
import { Changed } from './changed.js';
import { useDraft } from './draft.js';
import { Now } from './now.js';
import { useNextCase } from './next-case.js';
import { useOutcome } from './outcome.js';
import { ReadyReasons, ReasonField } from './reason-field.js';

const SHORTEST_REASON = 3;

export interface DecisionDialogProps {
  readonly case: Case;
  readonly decision: Decision;
  readonly seenVersion: number;
  readonly onSeen: () => void;
  readonly onClose: () => void;
}

interface Sent {
  readonly reason: string;
  readonly confirm: string;
}

export function DecisionDialog({ case: shown, decision, seenVersion, onSeen, onClose }: DecisionDialogProps) {
  const words = useWords(caseWords);
  const { kinds, cancel } = useWords(commonWords);
  const money = useMoney();
  const session = useSession();
  const { handle } = session;
  const { afterDecision } = useNextCase(shown.id);
  const [reason, setReason] = useDraft(handle, shown.id, decision);
  const [confirm, setConfirm] = useState('');
  const [isTried, setTried] = useState(false);
  const { state, send, reset } = useAct(async ({ reason: text, confirm: typed }: Sent) => {
    const kind = signedKind(shown, decision);
    const act = { subject_id: shown.id, version: seenVersion, reason: text };
    const proof = kind === null ? {} : await proofOf(session, { kind, ...act });
    return ask('decideCase', {
      params: { id: shown.id },
      body: { decision, reason: text, version: seenVersion, ...(typed === '' ? {} : { confirm: typed }), ...proof },
    });
  });
  const finish = (text: string) => {
    setReason('');
    say({ text, tone: 'good' });
    onClose();
    void afterDecision();
  };
  const outcome = useOutcome(state.kind === 'unknown', { id: shown.id, seenVersion, handle, decision }, () =>
    finish(words.foundDone),
  );
  const wanted = confirmOf(shown, decision);
  const problems = problemsOf({ decision, reason, confirm, wanted });
  const isStale = shown.version !== seenVersion;
  const isOver = state.kind === 'sending' || state.kind === 'unknown' || state.kind === 'refused' || isStale;
  const submit = async () => {
    setTried(true);
    if (isOver || problems.length > 0) return;
    const ended = await send({ reason: reason.trim(), confirm: confirm.trim() });
    if (ended.kind === 'done') return finish(words.outcome[ended.answer.outcome]);
    await queryClient.invalidateQueries({ queryKey: read('readCase', { params: { id: shown.id } }).queryKey });
  };
  return (
    <PanelDialog
      title={`${words.dialog[decision]}: ${kinds[shown.kind]} · ${money(shown.amount)}`}
      isStaying={state.kind === 'sending'}
      onClose={onClose}
      onSend={() => void submit()}
    >
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p>{effectOf(words, shown, decision)}</p>
        {state.kind !== 'refused' && isStale && <Changed case={shown} onSeen={onSeen} />}
        <ReadyReasons reasons={words.readyReasons[decision]} onChoose={setReason} />
        <ReasonField
          label={words.reason}
          value={reason}
          onChange={setReason}
          isOptional={decision === 'approve'}
          isDisabled={state.kind === 'sending' || state.kind === 'unknown'}
        />
        {wanted !== null && <ConfirmField wanted={wanted} value={confirm} onChange={setConfirm} />}
        {isTried &&
          problems.map((problem) => (
            <p key={problem} className="problem" role="alert">
              {words[problem]}
            </p>
          ))}
        {state.kind === 'refused' && (
          <FaultNotice fault={state.fault}>
            <Now fault={state.fault} />
          </FaultNotice>
        )}
        {state.kind === 'unknown' && <Unknown found={outcome} fault={state.fault} onAgain={reset} />}
        <div className="buttons">
          {state.kind === 'refused' ? (
            <button
              type="button"
              className="button"
              onClick={() => {
                reset();
                onClose();
              }}
            >
              {cancel}
            </button>
          ) : (
            <>
              <button
                type="submit"
                className={`button button-${decision === 'approve' ? 'good' : 'bad'}`}
                aria-disabled={isOver}
                aria-keyshortcuts="Control+Enter"
              >
                {state.kind === 'sending' ? words.sending : words.send[decision]}
                <kbd aria-hidden="true">Ctrl ↵</kbd>
              </button>
              <button type="button" className="button" onClick={onClose} aria-disabled={state.kind === 'sending'}>
                {cancel}
              </button>
            </>
          )}
        </div>
      </form>
    </PanelDialog>
  );
}

/** What the person signs; null: nothing. A refusal moves no money out. */
function signedKind({ kind }: Case, decision: Decision) {
  if (decision === 'refuse') return null;
  return kind === 'withdrawal' ? 'withdrawal.approve' : decision === 'approve' ? 'deposit.approve' : 'deposit.return';
}

/** What must be typed; null: nothing. A refusal moves no money out. */
function confirmOf({ acts }: Case, decision: Decision): string | null {
  return decision === 'refuse' ? null : acts[decision].confirm;
}

interface Filled {
  readonly decision: Decision;
  readonly reason: string;
  readonly confirm: string;
  readonly wanted: string | null;
}

function problemsOf({ decision, reason, confirm, wanted }: Filled): ('reasonTooShort' | 'confirmWrong')[] {
  const isShort = decision !== 'approve' && reason.trim().length < SHORTEST_REASON;
  const isWrong = wanted !== null && confirm.trim().toLowerCase() !== wanted.toLowerCase();
  return [...(isShort ? (['reasonTooShort'] as const) : []), ...(isWrong ? (['confirmWrong'] as const) : [])];
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
