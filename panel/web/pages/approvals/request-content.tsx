// The content of a request: a cash movement and networks as text, everything else as it is stored.
import { CASH_MOVEMENTS, type CashMovementKind } from '../../../../domain/cash-movements.js';
import { useTexts } from '../../preferences.js';
import { Facts } from '../../ui/facts.js';
import { Json } from '../../ui/json.js';
import { useMoney } from '../../ui/money.js';
import { approvalTexts } from '../../texts/approvals.js';
import type { Approval } from './types.js';

interface CashMovement {
  readonly movement: CashMovementKind;
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly document: string;
  readonly reason: string;
}

export function RequestContent({ request: { kind, asks_for: asked } }: { readonly request: Approval }) {
  if (kind === 'cash_movement' && isCashMovement(asked)) return <Movement of={asked} />;
  if (kind === 'allowlist' && isAllowlist(asked)) return <Networks of={asked} />;
  return <Json value={asked} />;
}

interface Allowlist {
  readonly networks: readonly string[];
  readonly replaces: readonly string[];
}

/** The added and removed values. The rest stays. */
function Networks({ of: { networks, replaces } }: { readonly of: Allowlist }) {
  const { networks: texts } = useTexts(approvalTexts);
  const list = (of: readonly string[]) => (of.length === 0 ? texts.none : <code key={of.join()}>{of.join(', ')}</code>);
  return (
    <Facts
      of={[
        [texts.added, list(networks.filter((one) => !replaces.includes(one)))],
        [texts.removed, list(replaces.filter((one) => !networks.includes(one)))],
        [texts.kept, list(networks.filter((one) => replaces.includes(one)))],
      ]}
    />
  );
}

function isAllowlist(asked: unknown): asked is Allowlist {
  const { networks, replaces } = (asked ?? {}) as { networks?: unknown; replaces?: unknown };
  return Array.isArray(networks) && Array.isArray(replaces);
}

function Movement({ of: { movement, amount, document, reason } }: { readonly of: CashMovement }) {
  const { cash: texts } = useTexts(approvalTexts);
  const money = useMoney();
  return (
    <>
      <p>{texts.movements[movement](money(amount))}</p>
      <p className="quiet">
        {texts.document}: {document} · {texts.reason}: {reason}
      </p>
    </>
  );
}

/** Whether it is a movement that this page has texts for. */
function isCashMovement(asked: unknown): asked is CashMovement {
  const movement = (asked as { movement?: unknown } | null)?.movement;
  return typeof movement === 'string' && Object.hasOwn(CASH_MOVEMENTS, movement);
}
