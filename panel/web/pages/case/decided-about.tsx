// Whom and what a decision is about, masked, where it is confirmed: a person who has many cases open must not confuse
// them.
import { useTexts } from '../../preferences.js';
import { type Fact, Facts } from '../../ui/facts.js';
import { useMoney } from '../../ui/money.js';
import { caseTexts } from '../../texts/case.js';
import type { Case, CaseProps, Decision } from './types.js';

export function DecidedAbout({ case: shown, decision }: CaseProps & { readonly decision: Decision }) {
  const texts = useTexts(caseTexts);
  const money = useMoney();
  const { player, payer, destination } = shown;
  // What was paid is credited or goes back.
  const amount = shown.paid_amount ?? shown.amount;
  const key: Fact | null =
    destination === null
      ? null
      : [
          texts.fields['destination.key'],
          joined([
            maskedOf(destination.fields, 'destination.key'),
            texts.keyTypes[destination.type] ?? destination.type,
            texts.holders[destination.holder] ?? destination.holder,
          ]),
        ];
  const paidBy: Fact | null =
    decision === 'return' && payer !== null
      ? [
          texts.whoReceives,
          payer.is_known
            ? joined([maskedOf(payer.fields, 'payer.name'), maskedOf(payer.fields, 'payer.document')])
            : texts.payerUnknown,
        ]
      : null;
  return (
    <Facts
      of={[
        [
          texts.player,
          joined([player.ref, maskedOf(player.fields, 'player.name'), maskedOf(player.fields, 'player.document')]),
        ],
        [texts.amount, money(amount)],
        key,
        paidBy,
      ]}
    />
  );
}

function maskedOf(fields: Case['player']['fields'], name: string): string | null {
  return fields.find(({ field }) => field === name)?.masked ?? null;
}

function joined(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join(' · ');
}
