// The session ended under an open page: the page stays as it is, with every draft, until the person has signed in
// again.
import { useCallback, useEffect, useState } from 'react';
import { ask } from '../../api/client.js';
import { codeOf, type Fault, faultOf } from '../../api/faults.js';
import { restartLive } from '../../api/live.js';
import { queryClient, refreshShown } from '../../api/queries.js';
import { noteSession, sessionQuery, useSession, useSessionEnded } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { PanelDialog } from '../../ui/dialog.js';
import { FaultNotice } from '../../ui/states.js';
import { shellTexts } from '../../texts/shell.js';

export function SessionEnded() {
  return useSessionEnded() ? <EndedDialog /> : null;
}

function EndedDialog() {
  const { ended: texts } = useTexts(shellTexts);
  const { handle } = useSession();
  const [found, setFound] = useState<'nothing' | Fault | null>(null);
  const check = useCallback(async () => {
    try {
      const session = await ask('readSession', {});
      // The next person's page must not show what this person saw.
      if (session.handle !== handle) return location.assign('/');
      queryClient.setQueryData(sessionQuery.queryKey, session);
      noteSession();
      restartLive();
      await refreshShown();
    } catch (error) {
      setFound(codeOf(error) === 'not_signed_in' ? 'nothing' : faultOf(error));
    }
  }, [handle]);
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && void check();
    document.addEventListener('visibilitychange', look);
    window.addEventListener('focus', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      window.removeEventListener('focus', look);
    };
  }, [check]);
  return (
    <PanelDialog title={texts.title} onClose={() => undefined} isStaying>
      <p>{texts.text}</p>
      {found === 'nothing' && (
        <p className="notice notice-wait" role="status">
          {texts.still}
        </p>
      )}
      {found !== null && found !== 'nothing' && <FaultNotice fault={found} />}
      <div className="buttons">
        <button type="button" className="button button-good" onClick={() => void check()}>
          {texts.check}
        </button>
      </div>
    </PanelDialog>
  );
}
