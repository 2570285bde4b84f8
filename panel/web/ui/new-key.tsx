// A new key. Its secret is shown once, and cannot be shown after this dialog closes.
import type { Answered } from '../../../contract/panel/routes.js';
import { useWords } from '../preferences.js';
import { Copyable } from './copyable.js';
import { PanelDialog } from './dialog.js';
import { Facts } from './facts.js';
import { approvalWords } from '../words/approvals.js';

export type Created = NonNullable<Answered<'decideApproval'>['key']>;

export function NewKey({ created, onClose }: { readonly created: Created; readonly onClose: () => void }) {
  const words = useWords(approvalWords);
  return (
    <PanelDialog title={words.keyTitle} onClose={onClose} isStaying>
      <p>{words.keyText}</p>
      <Facts
        of={[
          [words.keyId, <Copyable key="id" text={created.key_id} />],
          [words.secret, <Copyable key="secret" text={created.secret} />],
        ]}
      />
      <div className="buttons">
        <button type="button" className="button button-good" onClick={onClose}>
          {words.kept}
        </button>
      </div>
    </PanelDialog>
  );
}
