// The languages of the page. Each subject's words are in one file, in both languages: the second has the type of the
// first, so a missing or a surplus word does not compile.
export type Language = 'pt-BR' | 'en';

export interface InBoth<Words> {
  readonly 'pt-BR': Words;
  readonly en: Words;
}

/** "1 caso", "2 casos" */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
