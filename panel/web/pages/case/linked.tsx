// The other players who share something with the player of a case: a document, a payer, a key, a device, an address.
import type { Answered } from '../../../../contract/panel/routes.js';
import { useTexts } from '../../preferences.js';
import { PlayerLink } from '../../ui/player-link.js';
import { Section } from '../../ui/facts.js';
import { caseTexts } from '../../texts/case.js';

type Links = Answered<'readCase'>['player']['linked'];

interface LinkedPlayersProps {
  readonly linked: Links;
  readonly operationId: string;
}

export function LinkedPlayers({ linked: { players, more }, operationId }: LinkedPlayersProps) {
  const texts = useTexts(caseTexts);
  return (
    <Section title={texts.linked}>
      {players.length === 0 ? (
        <p className="quiet">{texts.noLinked}</p>
      ) : (
        <ul className="rows">
          {players.map(({ ref, shares }) => (
            <li key={ref}>
              <PlayerLink operationId={operationId} playerRef={ref} />
              <span className="chips">
                {shares.map((share) => (
                  <span key={share} className={`chip chip-${share === 'ip' || share === 'device' ? 'wait' : 'bad'}`}>
                    {texts.shares[share]}
                  </span>
                ))}
              </span>
            </li>
          ))}
        </ul>
      )}
      {more && <p className="quiet">{texts.moreLinked}</p>}
    </Section>
  );
}
