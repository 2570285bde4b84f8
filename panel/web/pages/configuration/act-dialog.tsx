// The dialog of an act on an operation's access: what it does, what it takes, and what became of it.
import { type ReactNode, useState } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { refreshShown } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { NewKey } from '../../ui/new-key.js';
import { NewSecret, type NewSecretAnswer } from '../../ui/new-secret.js';
import { say } from '../../ui/toast.js';
import { useAct } from '../../ui/use-act.js';
import { accessTexts } from '../../texts/access.js';

type Answer = Answered<'changeOperation'> | Answered<'stopOperation'> | Answered<'revokeKey'>;

export interface ActDialogProps {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  /** Whether another person approves it in production. */
  readonly needsTwo: boolean;
  /** Why what was filled in is not enough; `null` when it is. */
  readonly why?: string | null;
  /** Whether the act takes something away. */
  readonly isDestructive?: boolean;
  readonly send: () => Promise<Answer>;
  readonly onClose: () => void;
  /** The act's input. */
  readonly children?: ReactNode;
}

export function ActDialog({ title, text, button, needsTwo, why = null, ...props }: ActDialogProps) {
  const { send: request, isDestructive = false, onClose, children } = props;
  const texts = useTexts(accessTexts);
  const [key, setKey] = useState<NonNullable<Answered<'decideApproval'>['key']> | null>(null);
  const [secret, setSecret] = useState<NewSecretAnswer | null>(null);
  const { state, send } = useAct(request);
  const maySend = why === null && (state.kind === 'idle' || state.kind === 'refused');
  const submit = async () => {
    const outcome = await send(undefined);
    if (outcome.kind !== 'done') return;
    const { answer } = outcome;
    await refreshShown();
    if ('key' in answer && answer.key !== null) return setKey(answer.key);
    if ('webhook_secret' in answer && answer.webhook_secret !== undefined) return setSecret(answer.webhook_secret);
    const isRequest = 'request_id' in answer;
    say({ text: isRequest ? texts.requested(answer.request_id) : texts.done, tone: 'good' });
    onClose();
  };
  if (key !== null) return <NewKey created={key} onClose={onClose} />;
  if (secret !== null) return <NewSecret created={secret} onClose={onClose} />;
  return (
    <FormDialog
      title={title}
      button={button}
      state={state}
      isReady={maySend}
      why={why}
      isDestructive={isDestructive}
      onSend={submit}
      onClose={onClose}
      layout="fields"
    >
      <p>{text}</p>
      {needsTwo && <p className="quiet">{texts.needsTwo}</p>}
      {children}
    </FormDialog>
  );
}
