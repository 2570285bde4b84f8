// Money of an operation that was moved and is no payment: what, by which document, and by which two people.
import type { Answered } from '../../../../contract/panel/routes.js';
import { CASH_MOVEMENTS, type CashMovementKind } from '../../../../domain/cash-movements.js';
import { useTexts } from '../../preferences.js';
import { TableBox, TableHead } from '../../ui/facts.js';
import { useMoney } from '../../ui/money.js';
import { Instant } from '../../ui/time.js';
import { moneyTexts } from '../../texts/money.js';
import { approvalTexts } from '../../texts/approvals.js';
import { OperationList } from './operation-list.js';
import type { Operation } from './operations.js';

type CashMovement = Answered<'readCashMovements'>['items'][number];

export function CashMovements({ of: { id, name, time_zone: zone } }: { readonly of: Operation }) {
  const texts = useTexts(moneyTexts);
  return (
    <OperationList name="readCashMovements" operation={id} title={texts.movements} none={texts.noMovements}>
      {(items) => <Movements of={items} zone={zone} label={`${texts.movements}: ${name}`} />}
    </OperationList>
  );
}

interface MovementsProps {
  readonly of: readonly CashMovement[];
  readonly label: string;
  readonly zone: string;
}

function Movements({ of, label, zone }: MovementsProps) {
  const texts = useTexts(moneyTexts);
  const approvals = useTexts(approvalTexts);
  const { cash } = approvals;
  const money = useMoney();
  return (
    <TableBox label={label}>
      <TableHead of={[texts.movedAt, texts.movement, cash.place, cash.document, cash.reason, texts.people]} />
      <tbody>
        {of.map((movement) => (
          <tr key={movement.id}>
            <td>
              <Instant at={movement.created_at} zone={zone} />
            </td>
            <td>{isKnown(movement.kind) ? cash.movements[movement.kind](money(movement.amount)) : movement.kind}</td>
            <td>{cash.placeOf(movement.provider, movement.to_provider)}</td>
            <td>{movement.document}</td>
            <td>{movement.reason}</td>
            <td>{[movement.requested_by, movement.approved_by].filter((person) => person !== null).join(', ')}</td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}

function isKnown(kind: string): kind is CashMovementKind {
  return Object.hasOwn(CASH_MOVEMENTS, kind);
}
