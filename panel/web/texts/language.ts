// The languages of the page. Each subject's texts are in one file, in both languages: the second has the type of the
// first, so a missing or a surplus text does not compile.
export type Language = 'pt-BR' | 'en';

export interface InBoth<Texts> {
  readonly 'pt-BR': Texts;
  readonly en: Texts;
}

/** "1 caso", "2 casos" */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
