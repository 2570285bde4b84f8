// The dialog in which an admin takes a role, the sign-ins, or everything from a person.
import type { Answered, Asking } from '../../../../contract/panel/routes.js';
import { ask } from '../../api/client.js';
import { refreshShown } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { PanelDialog } from '../../ui/dialog.js';
import { FaultNotice } from '../../ui/states.js';
import { say } from '../../ui/toast.js';
import { useAct } from '../../ui/use-act.js';
import { useOperationName } from '../../ui/operation-name.js';
import { shellTexts } from '../../texts/shell.js';
import { staffTexts } from '../../texts/staff.js';
export type Person = Answered<'readStaff'>['items'][number];
type Body = Asking<'actOnPerson'>['body'];

interface TakeAwayProps {
  readonly person: Person;
  readonly onClose: () => void;
}

export function TakeAway({ person, onClose }: TakeAwayProps) {
  const operationName = useOperationName();
  const texts = useTexts(staffTexts);
  const { roles: names, everywhere } = useTexts(shellTexts);
  const { handle, roles, sessions, disabled_at: disabledAt } = person;
  const { state, send } = useAct((body: Body) => ask('actOnPerson', { params: { handle }, body }));
  const act = async (body: Body) => {
    const next = await send(body);
    if (next.kind !== 'done') return;
    say({ text: (next.answer.done ? texts.done : texts.nothing)(handle), tone: 'good' });
    await refreshShown();
    onClose();
  };
  const isSending = state.kind === 'sending';
  return (
    <PanelDialog title={texts.manage(handle)} onClose={onClose} isStaying={isSending}>
      <p>{texts.whatHappens}</p>
      {(state.kind === 'refused' || state.kind === 'unknown') && <FaultNotice fault={state.fault} />}
      <div className="buttons">
        {roles.map(({ role, operation }) => (
          <button
            key={`${role} ${operation?.id ?? ''}`}
            type="button"
            className="button"
            disabled={isSending}
            onClick={() => void act({ act: 'take_role', role, operation: operation?.id ?? null })}
          >
            {texts.takeRole(names[role], operation === null ? everywhere : operationName(operation))}
          </button>
        ))}
        {sessions > 0 && (
          <button
            type="button"
            className="button"
            disabled={isSending}
            onClick={() => void act({ act: 'end_sessions' })}
          >
            {texts.endSessions}
          </button>
        )}
        {disabledAt === null && (
          <button
            type="button"
            className="button button-bad"
            disabled={isSending}
            onClick={() => void act({ act: 'disable' })}
          >
            {texts.disable}
          </button>
        )}
      </div>
    </PanelDialog>
  );
}
