// The content of a request as text: a cash movement, networks, and of everything else each field.
import type { JsonValue } from '../../../../domain/rules/canonical-json.js';
import { CASH_MOVEMENTS, type CashMovementKind } from '../../../../domain/cash-movements.js';
import { useTexts } from '../../preferences.js';
import { Facts } from '../../ui/facts.js';
import { Json } from '../../ui/json.js';
import { Words } from '../../ui/theirs.js';
import { useMoney } from '../../ui/money.js';
import { accessTexts } from '../../texts/access.js';
import { commonTexts } from '../../texts/common.js';
import { approvalTexts } from '../../texts/approvals.js';
import { shellTexts } from '../../texts/shell.js';
import type { Approval } from './types.js';

interface CashMovement {
  readonly movement: CashMovementKind;
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly provider: string;
  readonly to_provider: string | null;
  readonly document: string;
  readonly return_id?: string;
  readonly reason: string;
}

export function RequestContent({ request: { kind, asks_for: asked } }: { readonly request: Approval }) {
  if (kind === 'cash_movement' && isCashMovement(asked)) return <Movement of={asked} />;
  if (kind === 'allowlist' && isAllowlist(asked)) return <Networks of={asked} />;
  return <Fields of={asked} />;
}

function Fields({ of }: { readonly of: Approval['asks_for'] }) {
  const texts = useTexts(approvalTexts);
  const fields = typeof of === 'object' && of !== null && !Array.isArray(of) ? Object.entries(of) : [];
  if (fields.length === 0) return <p className="quiet">{texts.nothingMore}</p>;
  return (
    <Facts
      of={fields.map(([name, value]) => [
        texts.fields[name] ?? name,
        <Value key={name} name={name} of={value ?? null} />,
      ])}
    />
  );
}

function Value({ name, of }: { readonly name: string; readonly of: JsonValue }) {
  const { yes, no } = useTexts(commonTexts);
  const { scopeNames } = useTexts(accessTexts);
  const { roles, everywhere } = useTexts(shellTexts);
  const money = useMoney();
  if (isMoney(of)) return money(of);
  if (name === 'role') return (roles as Readonly<Record<string, string>>)[String(of)] ?? String(of);
  if (name === 'operation' && of === null) return everywhere;
  if (typeof of === 'boolean') return of ? yes : no;
  if (!Array.isArray(of)) return <Json value={of} />;
  const names: Readonly<Record<string, string>> = scopeNames;
  return of.map((item) => names[String(item)] ?? String(item)).join(', ');
}

function isMoney(of: unknown): of is CashMovement['amount'] {
  const { amount, currency } = (of ?? {}) as { amount?: unknown; currency?: unknown };
  return typeof amount === 'string' && typeof currency === 'string';
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

function Movement({ of }: { readonly of: CashMovement }) {
  const { movement, amount, provider, to_provider: to, document, return_id: returnId, reason } = of;
  const { cash: texts } = useTexts(approvalTexts);
  const money = useMoney();
  const returned = returnId === undefined ? '' : ` · ${texts.returnId}: ${returnId}`;
  return (
    <>
      <p>{texts.movements[movement](money(amount))}</p>
      <p>{`${texts.place}: ${texts.placeOf(provider, to)}`}</p>
      <Words text={`${texts.document}: ${document}${returned} · ${texts.reason}: ${reason}`} />
    </>
  );
}

/** Whether it is a movement that this page has texts for. */
function isCashMovement(asked: unknown): asked is CashMovement {
  const movement = (asked as { movement?: unknown } | null)?.movement;
  return typeof movement === 'string' && Object.hasOwn(CASH_MOVEMENTS, movement);
}
