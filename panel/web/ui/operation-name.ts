// The name of an operation as a page shows it: with the end of its id where another one has the same name.
import { useQuery } from '@tanstack/react-query';
import { read } from '../api/queries.js';
import { useTexts } from '../preferences.js';
import { commonTexts } from '../texts/common.js';

interface Named {
  readonly id: string;
  readonly name: string;
}

const END_LENGTH = 6;

/** Tells apart operations of one name, among those that the person reaches. `null`: the whole gateway. */
export function useOperationName(): (operation: Named | null) => string {
  const { everywhere } = useTexts(commonTexts);
  const { data } = useQuery(read('readOperations', {}));
  return (operation) => (operation === null ? everywhere : toldApart(operation, data?.items ?? []));
}

/** The name alone, unless another of these has it too. */
export function toldApart({ id, name }: Named, others: readonly Named[]): string {
  const isShared = others.some((other) => other.name === name && other.id !== id);
  return isShared ? `${name} (…${id.slice(-END_LENGTH)})` : name;
}
