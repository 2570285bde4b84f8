// What may safely be done with a payment, and why not the rest. Nothing here makes a payment paid.
import { useState } from 'react';
import { useTexts } from '../../preferences.js';
import { ActButton } from '../../ui/act-button.js';
import { paymentTexts } from '../../texts/payment.js';
import { ActDialog, type ActName } from './act-dialog.js';
import type { PaymentProps } from './types.js';

const ACTS: readonly ActName[] = ['look_up', 'cancel', 'write_off'];

export function Acts({ payment }: PaymentProps) {
  const texts = useTexts(paymentTexts);
  const [acting, setActing] = useState<ActName | null>(null);
  return (
    <aside className="decision-panel" aria-label={texts.acts}>
      <h2>{texts.acts}</h2>
      <div className="decision-buttons">
        {ACTS.filter((act) => act !== 'write_off' || payment.kind === 'withdrawal').map((act) => (
          <ActButton
            key={act}
            possibility={payment.acts[act]}
            tone={act === 'look_up' ? 'plain' : 'bad'}
            onAct={() => setActing(act)}
          >
            {texts.actNames[act]}
          </ActButton>
        ))}
      </div>
      <p className="quiet">{texts.never}</p>
      {acting !== null && <ActDialog payment={payment} act={acting} onClose={() => setActing(null)} />}
    </aside>
  );
}
