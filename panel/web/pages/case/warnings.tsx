// What nobody may overlook before they decide: a decision that the provider undid, and what is on the block list.
import { useTexts } from '../../preferences.js';
import { Instant } from '../../ui/time.js';
import { caseTexts } from '../../texts/case.js';
import { playerTexts } from '../../texts/player.js';
import { DecisionLine } from './history.js';
import type { CaseProps } from './types.js';

const UNDONE: readonly string[] = ['return_refused', 'return_withdrawn'];

export function Warnings({ case: { decided, player, operation } }: CaseProps) {
  const texts = useTexts(caseTexts);
  const { listKinds } = useTexts(playerTexts);
  const undone = decided.filter(({ decision }) => UNDONE.includes(decision));
  const blocked = player.lists.filter(({ list }) => list === 'block');
  if (undone.length + blocked.length === 0) return null;
  return (
    <ul className="reasons">
      {undone.map((decision) => (
        <li key={decision.at}>
          <p>
            <span className="chip chip-bad">{texts.undone}</span>
          </p>
          <DecisionLine decision={decision} />
        </li>
      ))}
      {blocked.map(({ kind, added_at: at }) => (
        <li key={kind}>
          <p>
            <span className="chip chip-bad">{texts.blocked}</span> {listKinds[kind] ?? kind},{' '}
            <Instant at={at} zone={operation.time_zone} />
          </p>
        </li>
      ))}
    </ul>
  );
}
