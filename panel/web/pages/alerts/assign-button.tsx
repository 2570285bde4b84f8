// Takes an alert, or gives it back: on the alert's card, and beside the money that it is about.
import { ask } from '../../api/client.js';
import { refreshShown } from '../../api/queries.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { FaultNotice } from '../../ui/states.js';
import { useAct } from '../../ui/use-act.js';
import { WhyButton } from '../../ui/why-button.js';
import { alertTexts } from '../../texts/alerts.js';

interface AssignButtonProps {
  readonly alert: { readonly id: string; readonly assigned_to: string | null };
  readonly why: string | null;
  /** Instead of “Give it back”, which is about money where money is returned. */
  readonly giveBack?: string;
}

export function AssignButton({ alert: { id, assigned_to: owner }, why, giveBack }: AssignButtonProps) {
  const texts = useTexts(alertTexts);
  const isOwn = owner === useSession().handle;
  const { state, send, reset } = useAct(() =>
    ask('actOnAlert', { params: { id }, body: { act: 'assign', person: isOwn ? null : 'me', seen: owner } }),
  );
  const assign = async () => {
    const { kind } = await send(undefined);
    if (kind === 'done') reset();
    await refreshShown();
  };
  return (
    <>
      <WhyButton why={why} onAct={() => void assign()}>
        {isOwn ? (giveBack ?? texts.giveBack) : texts.take}
      </WhyButton>
      {(state.kind === 'refused' || state.kind === 'unknown') && <FaultNotice fault={state.fault} />}
    </>
  );
}
