// The people of a case, masked: the player, the payer, the recipient, and where else the same person appears.
import { Link } from '@tanstack/react-router';
import { useTexts } from '../../preferences.js';
import { Facts, Section } from '../../ui/facts.js';
import { PlayerLink } from '../../ui/player-link.js';
import { Money } from '../../ui/money.js';
import { Status } from '../../ui/status.js';
import { Age, Instant } from '../../ui/time.js';
import { caseTexts } from '../../texts/case.js';
import { commonTexts } from '../../texts/common.js';
import type { CaseProps } from './types.js';
import { MaskedFields } from './masked.js';

export function PayerAgainstPlayer({ case: { id, payer } }: CaseProps) {
  const texts = useTexts(caseTexts);
  if (payer === null) return null;
  return (
    <Section title={texts.payer}>
      {payer.is_known ? (
        <>
          <p className="chips">
            <Match name={texts.sameDocument} is={payer.same_document} />
            <Match name={texts.sameName} is={payer.same_name} />
          </p>
          <MaskedFields paymentId={id} fields={payer.fields} />
        </>
      ) : (
        <p>{texts.payerUnknown}</p>
      )}
      {payer.bank_ispb !== null && <Facts of={[[texts.payersBank, `ISPB ${payer.bank_ispb}`]]} />}
    </Section>
  );
}

function Match({ name, is }: { readonly name: string; readonly is: boolean | null }) {
  const texts = useTexts(caseTexts);
  const { unknown } = useTexts(commonTexts);
  const tone = is === null ? 'wait' : is ? 'good' : 'bad';
  return (
    <span className={`chip chip-${tone}`}>
      {name}: {is === null ? unknown : is ? texts.same : texts.different}
    </span>
  );
}

export function Destination({ case: { id, destination } }: CaseProps) {
  const texts = useTexts(caseTexts);
  if (destination === null) return null;
  const { type, holder, fields } = destination;
  return (
    <Section title={texts.destination}>
      <Facts
        of={[
          [texts.holder, texts.holders[holder] ?? holder],
          [texts.keyType, texts.keyTypes[type] ?? type],
        ]}
      />
      <MaskedFields paymentId={id} fields={fields} />
    </Section>
  );
}

export function PlayerFields({ case: { id, player, operation } }: CaseProps) {
  const texts = useTexts(caseTexts);
  return (
    <Section title={texts.player} aside={<PlayerLink operationId={operation.id} playerRef={player.ref} />}>
      {player.known_since !== null && (
        <p className="quiet">
          {texts.knownHereSince} <Instant at={player.known_since} zone={operation.time_zone} /> ·{' '}
          <Age since={player.known_since} />
        </p>
      )}
      <MaskedFields paymentId={id} fields={player.fields} />
    </Section>
  );
}

export function OtherUses({ case: { other_uses: uses, operation } }: CaseProps) {
  const texts = useTexts(caseTexts);
  return (
    <Section title={texts.uses[uses.of]}>
      {uses.payments === 0 ? (
        <p className="quiet">{texts.noUses}</p>
      ) : (
        <>
          <p>
            <span className={uses.players > 0 ? 'chip chip-bad' : 'chip chip-plain'}>
              {texts.usesText(uses.payments, uses.players)}
            </span>
          </p>
          <ul className="rows">
            {uses.latest.map(({ id, player_ref: player, status, amount, created_at: at }) => (
              <li key={id}>
                <Link to="/payments/$id" params={{ id }}>
                  <Money of={amount} />
                </Link>
                <PlayerLink operationId={operation.id} playerRef={player} />
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
