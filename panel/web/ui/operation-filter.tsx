// A choice among the operations that the person reaches.
import { useQuery } from '@tanstack/react-query';
import { read } from '../api/queries.js';
import { useWords } from '../preferences.js';
import { commonWords } from '../words/common.js';

export interface FilterProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function OperationFilter({ value, onChange }: FilterProps) {
  const words = useWords(commonWords);
  const { data } = useQuery(read('readOperations', {}));
  return (
    <label>
      {words.operation}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{words.allOperations}</option>
        {data?.items.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
