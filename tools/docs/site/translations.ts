// Translations against what they translate: each section of a Portuguese page names a digest of its English section.
import { createHash } from 'node:crypto';
import { tableInPortuguese } from './portuguese/tables.js';

/**
 * Sections whose English text is newer than the translation, as "file: heading of the English section". The site says
 * so above them. Empty it by translating: test/convention/site.spec.ts says what to write.
 */
export const BEHIND: readonly string[] = [];

export interface Section {
  /** The heading with its marks; empty before the first one. */
  readonly heading: string;
  readonly text: string;
}

/** The parts of a page that headings of the first and second level begin. */
function sectionsOf(page: string): readonly Section[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  let isCode = false;
  for (const line of page.split('\n')) {
    if (/^ *```/.test(line)) isCode = !isCode;
    if (!isCode && /^##? /.test(line)) sections.push({ heading: line, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections
    .map(({ heading, lines }) => ({ heading, text: lines.join('\n') }))
    .filter(({ heading, text }) => heading !== '' || text.trim() !== '');
}

const GENERATED = /<!-- generated:([a-z-]+) -->\n([\s\S]*?)<!-- \/generated:\1 -->/g;
const OF = /<!-- of: ([0-9a-f]{8}) -->\n/;

/** What the translation of a section names. Sections that are generated from the code are not translated. */
function digestOf({ heading, text }: Section): string {
  const written = `${heading}\n${text.replaceAll(GENERATED, '')}`.replaceAll(/\s+/g, ' ').trim();
  return createHash('sha256').update(written).digest('hex').slice(0, 8);
}

export interface ComparedSection {
  readonly english: Section;
  readonly translated: Section;
  readonly digest: string;
  /** The digest that the translation names. */
  readonly named: string | undefined;
}

/** The sections of both, in pairs; undefined when they do not have the same number. */
export function compareSections(english: string, translated: string): readonly ComparedSection[] | undefined {
  const [from, to] = [sectionsOf(english), sectionsOf(translated)];
  if (from.length !== to.length) return undefined;
  return from.map((section, index) => {
    const other = to[index] ?? { heading: '', text: '' };
    return { english: section, translated: other, digest: digestOf(section), named: OF.exec(other.text)?.[1] };
  });
}

/** The name of a section in {@link BEHIND}. */
export function nameOfSection(file: string, { english }: Pick<ComparedSection, 'english'>): string {
  return `${file}: ${english.heading.replace(/^#+ /, '')}`;
}

/** The translation as a page: with the tables of the English page, in Portuguese, and a note where it is behind. */
export function translatedPage(file: string, english: string, translated: string, englishAddress: string): string {
  const sections = compareSections(english, translated) ?? [];
  const tables = new Map([...english.matchAll(GENERATED)].map(([, name = '', content = '']) => [name, content]));
  const note = `::: warning A versão em inglês desta seção é mais recente\n[Leia em inglês](${englishAddress})\n:::\n`;
  const text = sections
    .map((section) => {
      const isBehind = BEHIND.includes(nameOfSection(file, section));
      const { heading, text: content } = section.translated;
      return `${heading}\n${content.replace(OF, isBehind ? `\n${note}` : '')}`;
    })
    .join('\n');
  return text.replaceAll(GENERATED, (_, name: string) => tableInPortuguese(tables.get(name) ?? ''));
}

/** The generated tables of an English page. */
export function generatedTablesOf(english: string): readonly string[] {
  return [...english.matchAll(GENERATED)].map(([, , content = '']) => content);
}
