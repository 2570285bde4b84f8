// The people of a case, masked: the player, the payer, the recipient, and where else the same person appears.
import { Link } from '@tanstack/react-router';
import { useWords } from '../../preferences.js';
import { Facts, Section } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { Status } from '../../ui/status.js';
import { Age, Instant } from '../../ui/time.js';
import { caseWords } from '../../words/case.js';
import { commonWords } from '../../words/common.js';
import type { CaseProps } from './types.js';
import { MaskedFields } from './masked.js';

export function PayerAgainstPlayer({ case: { id, payer } }: CaseProps) {
  const words = useWords(caseWords);
  if (payer === null) return null;
  return (
    <Section title={words.payer}>
      {payer.is_known ? (
        <>
          <p className="chips">
            <Match name={words.sameDocument} is={payer.same_document} />
            <Match name={words.sameName} is={payer.same_name} />
          </p>
          <MaskedFields paymentId={id} fields={payer.fields} />
        </>
      ) : (
        <p>{words.payerUnknown}</p>
      )}
    </Section>
  );
}

function Match({ name, is }: { readonly name: string; readonly is: boolean | null }) {
  const words = useWords(caseWords);
  const { unknown } = useWords(commonWords);
  const tone = is === null ? 'wait' : is ? 'good' : 'bad';
  return (
    <span className={`chip chip-${tone}`}>
      {name}: {is === null ? unknown : is ? words.same : words.different}
    </span>
  );
}

export function Destination({ case: { id, destination } }: CaseProps) {
  const words = useWords(caseWords);
  if (destination === null) return null;
  const { type, holder, fields } = destination;
  return (
    <Section title={words.destination}>
      <Facts
        of={[
          [words.holder, words.holders[holder] ?? holder],
          [words.keyType, words.keyTypes[type] ?? type],
        ]}
      />
      <MaskedFields paymentId={id} fields={fields} />
    </Section>
  );
}

export function PlayerFields({ case: { id, player, operation } }: CaseProps) {
  const words = useWords(caseWords);
  return (
    <Section
      title={words.player}
      aside={
        <span className="quiet">
          {player.ref}
          {player.known_since !== null && (
            <>
              {' '}
              · {words.knownSince} <Instant at={player.known_since} zone={operation.time_zone} />
            </>
          )}
        </span>
      }
    >
      <MaskedFields paymentId={id} fields={player.fields} />
    </Section>
  );
}

export function OtherUses({ case: { other_uses: uses } }: CaseProps) {
  const words = useWords(caseWords);
  return (
    <Section title={words.uses[uses.of]}>
      {uses.payments === 0 ? (
        <p className="quiet">{words.noUses}</p>
      ) : (
        <>
          <p>
            <span className={uses.players > 0 ? 'chip chip-bad' : 'chip chip-plain'}>
              {words.usesText(uses.payments, uses.players)}
            </span>
          </p>
          <ul className="rows">
            {uses.latest.map(({ id, player_ref: player, status, amount, created_at: at }) => (
              <li key={id}>
                <Link to="/payments/$id" params={{ id }}>
                  <Money of={amount} />
                </Link>
                <span className="ref">{player}</span>
                <Status of={status} />
                <Age since={at} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}
