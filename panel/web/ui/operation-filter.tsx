// A choice among the operations that the person reaches.
import { useQuery } from '@tanstack/react-query';
import { read } from '../api/queries.js';
import { useTexts } from '../preferences.js';
import { toldApart } from './operation-name.js';
import { commonTexts } from '../texts/common.js';

export interface FilterProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function OperationFilter({ value, onChange }: FilterProps) {
  const texts = useTexts(commonTexts);
  const { data } = useQuery(read('readOperations', {}));
  return (
    <label>
      {texts.operation}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{texts.allOperations}</option>
        {data?.items.map((one) => (
          <option key={one.id} value={one.id}>
            {toldApart(one, data.items)}
          </option>
        ))}
      </select>
    </label>
  );
}
