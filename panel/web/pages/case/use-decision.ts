// One decision as it is filled in and sent: with the version that the person saw, once. While its outcome is unknown it
// is looked for; only then may the person decide again.
import { useState } from 'react';
import { ask } from '../../api/client.js';
import { proofOf } from '../../api/passkeys.js';
import { queryClient, read } from '../../api/queries.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { useMoney } from '../../ui/money.js';
import { say } from '../../ui/toast.js';
import { caseTexts } from '../../texts/case.js';
import { commonTexts } from '../../texts/common.js';
import { workTexts } from '../../texts/work.js';
import { useFormAct } from '../acts/use-form-act.js';
import { type Block, bodyOf, NO_BLOCK } from './block.js';
import { isConfirmed } from './confirm-field.js';
import { useDraft } from './draft.js';
import { useNextCase } from './next-case.js';
import { useOutcome } from './outcome.js';
import { isShort } from './reason-field.js';
import type { Case, Decision } from './types.js';

interface Deciding {
  readonly case: Case;
  readonly decision: Decision;
  readonly seenVersion: number;
  readonly onClose: () => void;
}

export function useDecision({ case: shown, decision, seenVersion, onClose }: Deciding) {
  const texts = useTexts(caseTexts);
  const work = useTexts(workTexts);
  const { kinds } = useTexts(commonTexts);
  const money = useMoney();
  const session = useSession();
  const { handle } = session;
  const { afterDecision } = useNextCase(shown.id);
  const [reason, setReason] = useDraft(handle, shown.id, decision);
  const [confirm, setConfirm] = useState('');
  const isReasonNeeded = decision !== 'approve' || shown.reason_needed;
  const [block, setBlock] = useState<Block>(NO_BLOCK);
  const wanted = confirmOf(shown, decision);
  // It undoes nothing: it stands on the case, in the audit trail and in the figures of the shift.
  const flag = async (payment: { readonly id: string; readonly name: string }) => {
    const isFlagged = await ask('workOnCase', { params: { id: shown.id }, body: { act: 'flag' } }).then(
      () => true,
      () => false,
    );
    say({ text: isFlagged ? work.flagged : work.notFlagged, tone: 'wait', payment });
  };
  const finish = (text: string) => {
    setReason('');
    const payment = { id: shown.id, name: texts.title(kinds[shown.kind], money(shown.amount)) };
    say({ text, tone: 'good', payment, act: { text: work.flag, run: () => void flag(payment) } });
    onClose();
    void afterDecision();
  };
  const form = useFormAct({
    problems: [
      ...(isReasonNeeded && isShort(reason) ? [texts.reasonTooShort] : []),
      ...(isConfirmed(wanted, confirm) ? [] : [texts.confirmWrong]),
    ],
    isHeld: shown.version !== seenVersion,
    ask: async () => {
      const kind = signedKind(shown, decision);
      const given = { reason: reason.trim(), version: seenVersion };
      const proof = kind === null ? {} : await proofOf(session, { kind, subject_id: shown.id, ...given });
      const typed = confirm.trim() === '' ? {} : { confirm: confirm.trim() };
      return ask('decideCase', {
        params: { id: shown.id },
        body: { decision, ...given, ...typed, ...bodyOf(block), ...proof },
      });
    },
    onDone: ({ outcome, blocked }) => {
      const names = blocked.map((kind) => work.blockNames[kind]).join(', ');
      finish([texts.outcome[outcome], ...(blocked.length === 0 ? [] : [work.blocked(names)])].join(' '));
    },
    onFailed: () =>
      queryClient.invalidateQueries({ queryKey: read('readCase', { params: { id: shown.id } }).queryKey }),
  });
  const decided = { id: shown.id, seenVersion, handle, decision };
  const found = useOutcome(form.state.kind === 'unknown', decided, () => finish(texts.foundDone));
  return { form, found, reason, setReason, confirm, setConfirm, wanted, isReasonNeeded, block, setBlock };
}

/** What the person signs; `null` when nothing. A refusal moves no money out. */
function signedKind({ kind }: Case, decision: Decision) {
  if (decision === 'refuse') return null;
  return kind === 'withdrawal' ? 'withdrawal.approve' : decision === 'approve' ? 'deposit.approve' : 'deposit.return';
}

/** What must be typed; `null` when nothing. */
function confirmOf({ acts }: Case, decision: Decision): string | null {
  return decision === 'refuse' ? null : acts[decision].confirm;
}
