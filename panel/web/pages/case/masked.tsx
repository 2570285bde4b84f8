// Masked fields, and showing one of them for a short time: with a reason, which is audited. The value is kept only
// here, and is dropped when its time ends.
import { useEffect, useState } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { holds, useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { PanelDialog, SendOrCancel } from '../../ui/dialog.js';
import { FaultNotice } from '../../ui/states.js';
import { Words } from '../../ui/theirs.js';
import { useNow } from '../../ui/time.js';
import { useAct } from '../../ui/use-act.js';
import { caseTexts } from '../../texts/case.js';
import type { Case } from './types.js';
import { isShort, ReasonField, ReadyReasons } from './reason-field.js';

type Field = Case['player']['fields'][number];
type RevealAnswer = Answered<'revealField'>;

/** Its time counts from when it came: the clock of this machine may differ from the panel's. */
interface ShownValue {
  readonly value: RevealAnswer['value'];
  readonly hideAtMs: number;
}

/** People who judge payments (the server checks it too). */
const JUDGES = ['reviewer', 'approver', 'risk_manager'] as const;

export function MaskedFields({ paymentId, fields }: { readonly paymentId: string; readonly fields: readonly Field[] }) {
  const texts = useTexts(caseTexts);
  const absent = fields.filter(({ masked }) => masked === null);
  return (
    <>
      <dl className="facts">
        {fields
          .filter(({ masked }) => masked !== null)
          .map((field) => (
            <MaskedField key={field.field} paymentId={paymentId} field={field} />
          ))}
      </dl>
      {absent.length > 0 && (
        <p className="quiet">
          {texts.absentFields}: {absent.map(({ field }) => texts.fields[field]).join(', ')}
        </p>
      )}
    </>
  );
}

function MaskedField({ paymentId, field: { field, masked } }: { readonly paymentId: string; readonly field: Field }) {
  const texts = useTexts(caseTexts);
  const session = useSession();
  const [isAsking, setAsking] = useState(false);
  const [revealed, setRevealed] = useState<ShownValue | null>(null);
  const name = texts.fields[field];
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {revealed === null ? (
          <>
            <span className="masked">
              <Words text={masked ?? texts.absent} />
            </span>
            {holds(session, JUDGES) && (
              <button
                type="button"
                className="button-quiet"
                aria-label={texts.revealTitle(name)}
                onClick={() => setAsking(true)}
              >
                {texts.reveal}
              </button>
            )}
          </>
        ) : (
          <Clear revealed={revealed} onHide={() => setRevealed(null)} />
        )}
        {isAsking && (
          <RevealDialog
            paymentId={paymentId}
            field={field}
            onClose={() => setAsking(false)}
            onRevealed={(found) => {
              setAsking(false);
              setRevealed({ value: found.value, hideAtMs: Date.now() + session.limits.reveal_seconds * 1_000 });
            }}
          />
        )}
      </dd>
    </div>
  );
}

function Clear({
  revealed: { value, hideAtMs },
  onHide,
}: {
  readonly revealed: ShownValue;
  readonly onHide: () => void;
}) {
  const texts = useTexts(caseTexts);
  const now = useNow(500);
  const leftMs = hideAtMs - now;
  const isOver = leftMs <= 0;
  useEffect(() => {
    if (isOver) onHide();
  }, [isOver, onHide]);
  return (
    <>
      <span className="clear">
        <Words text={value ?? texts.absent} />
      </span>
      <span className="quiet" aria-hidden="true">
        {texts.secondsLeft(Math.max(0, Math.ceil(leftMs / 1_000)))}
      </span>
      <button type="button" className="button-quiet" onClick={onHide}>
        {texts.hide}
      </button>
    </>
  );
}

interface RevealDialogProps {
  readonly paymentId: string;
  readonly field: Field['field'];
  readonly onClose: () => void;
  readonly onRevealed: (revealed: RevealAnswer) => void;
}

function RevealDialog({ paymentId, field, onClose, onRevealed }: RevealDialogProps) {
  const texts = useTexts(caseTexts);
  const { limits } = useSession();
  const [reason, setReason] = useState('');
  const { state, send } = useAct((text: string) =>
    ask('revealField', { params: { id: paymentId }, body: { field, reason: text } }),
  );
  const isReady = !isShort(reason) && state.kind !== 'sending';
  const submit = async () => {
    if (!isReady) return;
    const ended = await send(reason);
    if (ended.kind === 'done') onRevealed(ended.answer);
  };
  return (
    <PanelDialog title={texts.revealTitle(texts.fields[field])} onClose={onClose} onSend={() => void submit()}>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <p>{texts.revealText(limits.reveal_seconds)}</p>
        <ReadyReasons reasons={texts.revealReasons} onChoose={setReason} />
        <ReasonField label={texts.revealReason} value={reason} onChange={setReason} autoFocus />
        {(state.kind === 'refused' || state.kind === 'unknown') && <FaultNotice fault={state.fault} />}
        <SendOrCancel
          text={texts.reveal}
          isReady={isReady}
          why={isShort(reason) ? texts.reasonTooShort : null}
          onCancel={onClose}
        />
      </form>
    </PanelDialog>
  );
}
