// Rows of payments, in the list and on a player's page.
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { Answered } from '../../../../contract/panel/routes.js';
import { useTexts } from '../../preferences.js';
import { TableBox, TableHead } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { PlayerLink } from '../../ui/player-link.js';
import { useRowKeys } from '../../ui/row-keys.js';
import { Status } from '../../ui/status.js';
import { Instant } from '../../ui/time.js';
import { commonTexts } from '../../texts/common.js';
import { paymentsTexts } from '../../texts/payments.js';
import { ReasonChips } from '../case/reasons.js';

export type ListedPayment = Answered<'readPayments'>['items'][number];

interface PaymentTableProps {
  readonly items: readonly ListedPayment[];
  readonly operationId: string;
  readonly zone: string;
}

export function PaymentTable({ items, operationId, zone }: PaymentTableProps) {
  const texts = useTexts(paymentsTexts);
  const { kinds } = useTexts(commonTexts);
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  return (
    <TableBox label={texts.title}>
      <TableHead of={texts.columns} />
      <tbody ref={body}>
        {items.map(({ id, kind, amount, status, player_ref: playerRef, reasons, provider, ...at }) => (
          <tr key={id}>
            <td>
              <Link to="/payments/$id" params={{ id }} className="row-link" data-row>
                <Money of={amount} />
              </Link>
            </td>
            <td>{kinds[kind]}</td>
            <td>
              <Status of={status} />
            </td>
            <td>
              <PlayerLink operationId={operationId} playerRef={playerRef} />
            </td>
            <td>
              <ReasonChips reasons={reasons.map((code) => ({ from: 'rules', code, compared: null }))} most={2} />
            </td>
            <td>{provider}</td>
            <td>
              <Instant at={at.created_at} zone={zone} />
            </td>
            <td>
              <Instant at={at.updated_at} zone={zone} />
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}
