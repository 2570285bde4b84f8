// What a request asks for: a cash movement in words, everything else as it is stored.
import { CASH_MOVEMENTS, type CashMovementKind } from '../../../../domain/cash-movements.js';
import { useWords } from '../../preferences.js';
import { Json } from '../../ui/json.js';
import { useMoney } from '../../ui/money.js';
import { recordWords } from '../../words/records.js';
import type { Approval } from './types.js';

interface CashMovement {
  readonly movement: CashMovementKind;
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly document: string;
  readonly reason: string;
}

export function AsksFor({ request: { kind, asks_for: asked } }: { readonly request: Approval }) {
  return kind === 'cash_movement' && isCashMovement(asked) ? <Movement of={asked} /> : <Json value={asked} />;
}

function Movement({ of: { movement, amount, document, reason } }: { readonly of: CashMovement }) {
  const { cash: words } = useWords(recordWords).approvals;
  const money = useMoney();
  return (
    <>
      <p>{words.movements[movement](money(amount))}</p>
      <p className="quiet">
        {words.document}: {document} · {words.reason}: {reason}
      </p>
    </>
  );
}

/** Whether it is a movement that this page has words for. */
function isCashMovement(asked: unknown): asked is CashMovement {
  const movement = (asked as { movement?: unknown } | null)?.movement;
  return typeof movement === 'string' && Object.hasOwn(CASH_MOVEMENTS, movement);
}
