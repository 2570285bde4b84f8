// The fields of a block with a decision: what of the case the operation shall not serve again, and for how long.
import { useTexts } from '../../preferences.js';
import { workTexts } from '../../texts/work.js';
import type { Block, BlockKind } from './block.js';
import type { Case, CaseProps } from './types.js';

const DAYS = [30, 90, 365, null] as const;

interface BlockFieldsProps extends CaseProps {
  readonly block: Block;
  readonly onChange: (block: Block) => void;
}

export function BlockFields({ case: shown, block: { kinds, days }, onChange }: BlockFieldsProps) {
  const texts = useTexts(workTexts);
  const toggle = (kind: BlockKind) =>
    onChange({ days, kinds: kinds.includes(kind) ? kinds.filter((one) => one !== kind) : [...kinds, kind] });
  return (
    <fieldset className="fields">
      <legend>{texts.block}</legend>
      {kindsOf(shown).map((kind) => (
        <label key={kind}>
          <input type="checkbox" checked={kinds.includes(kind)} onChange={() => toggle(kind)} />
          {texts.blockNames[kind]}
        </label>
      ))}
      {kinds.length > 0 && (
        <label>
          {texts.blockFor}
          <select
            value={days ?? ''}
            onChange={({ target }) => onChange({ kinds, days: target.value === '' ? null : Number(target.value) })}
          >
            {DAYS.map((choice) => (
              <option key={choice} value={choice ?? ''}>
                {texts.blockDays(choice)}
              </option>
            ))}
          </select>
        </label>
      )}
      {kinds.length > 0 && <p className="hint">{texts.blockHint}</p>}
    </fieldset>
  );
}

/** What the payment has. */
function kindsOf({ player, payer, destination }: Case): readonly BlockKind[] {
  const has = (name: string) =>
    [...player.fields, ...(destination?.fields ?? [])].some(({ field, masked }) => field === name && masked !== null);
  return [
    'player',
    ...(has('player.document') ? (['document'] as const) : []),
    // Another person's whole document: a masked one is no proof, and no list can hold it.
    ...(payer?.same_document === false ? (['payer'] as const) : []),
    ...(has('destination.key') ? (['pix_key'] as const) : []),
    ...(has('player.device_id') ? (['device'] as const) : []),
  ];
}
