// The pages of the documentation site: where each comes from, who reads it, and whether it exists in Portuguese.
// test/convention/site.spec.ts compares the table with docs/.

export const LANGUAGES = ['en', 'pt-BR'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Operators' engineers, everywhere; or the people who run the gateway, not in production. */
export type Audience = 'operators' | 'staff';

export interface SitePage {
  /** From the project's root. Its path on the site is the name of the file. */
  readonly source: string;
  /** The path on the site, without a language. */
  readonly path: string;
  readonly group: GroupName;
  readonly title: Readonly<Record<Language, string>>;
  /** The translation's file, or why there is none. */
  readonly portuguese: { readonly source: string } | { readonly englishOnly: string };
}

export const GROUPS = {
  start: { audience: 'operators', title: { en: 'Start', 'pt-BR': 'Comece aqui' } },
  guides: { audience: 'operators', title: { en: 'Guides', 'pt-BR': 'Guias' } },
  reference: { audience: 'operators', title: { en: 'Reference', 'pt-BR': 'Referência' } },
  handbook: { audience: 'staff', title: { en: 'Operations handbook', 'pt-BR': 'Manual de operação (em inglês)' } },
  inside: { audience: 'staff', title: { en: 'Inside the gateway', 'pt-BR': 'Por dentro do gateway (em inglês)' } },
} as const satisfies Record<string, { audience: Audience; title: Readonly<Record<Language, string>> }>;
export type GroupName = keyof typeof GROUPS;

const STAFF_READS_ENGLISH = 'for the people who run the gateway, who work in its English terms, alerts and commands';
const CODE_IS_ENGLISH = 'about the code, which is in English';

/** A page in both languages. */
function both(name: string, group: GroupName, en: string, pt: string): SitePage {
  const title = { en, 'pt-BR': pt };
  return {
    source: `docs/${name}.md`,
    path: name,
    group,
    title,
    portuguese: { source: `docs/pt-BR/${name}.md` },
  };
}

/** A page in English, with the reason. */
function english(name: string, group: GroupName, en: string, pt: string, reason: string): SitePage {
  const title = { en, 'pt-BR': pt };
  return { source: `docs/${name}.md`, path: name, group, title, portuguese: { englishOnly: reason } };
}

const staff = (name: string, en: string, pt: string) => english(name, 'handbook', en, pt, STAFF_READS_ENGLISH);
const inside = (name: string, en: string, pt: string) => english(name, 'inside', en, pt, CODE_IS_ENGLISH);

/** Every page that people write, in the order of the sidebar. */
export const SITE_PAGES: readonly SitePage[] = [
  both('quickstart', 'start', 'Quickstart', 'Início rápido'),
  both('concepts', 'start', 'Concepts', 'Conceitos'),
  both('integrating', 'guides', 'Integration guide', 'Guia de integração'),
  both('webhooks', 'guides', 'Webhooks', 'Webhooks'),
  english(
    'recipes',
    'guides',
    'What money does, tried',
    'O que o dinheiro faz, testado',
    'programs with few words, which CI runs',
  ),
  both('sandbox-recipes', 'guides', 'Sandbox recipes', 'Receitas do sandbox'),
  english(
    'conformance',
    'guides',
    'The conformance kit',
    'O kit de conformidade',
    'the kit speaks English: its checks and its report',
  ),
  english('simulator', 'guides', 'The simulator', 'O simulador', 'its rows are generated in English from the code'),
  {
    ...english('client', 'guides', 'The TypeScript client', 'O cliente TypeScript', CODE_IS_ENGLISH),
    source: 'client/README.md',
  },
  english(
    'state-matrix',
    'reference',
    'States and ledger',
    'Estados e livro contábil',
    'a table of names of the contract',
  ),
  english('rules', 'reference', 'Rules engine', 'Motor de regras', 'reasons and thresholds are names of the contract'),
  english('versions', 'reference', 'Versions and deprecation', 'Versões e descontinuação', 'names of the contract'),
  english('interface-choices', 'reference', 'Interface choices', 'Escolhas da interface', 'notes on an English text'),
  english('glossary', 'reference', 'Glossary', 'Glossário', 'the terms are those of the contract, in English'),
  staff('running', 'Running', 'Executar'),
  staff('operating', 'Operating', 'Operar'),
  staff('gateway-command', 'The gateway command', 'O comando gateway'),
  staff('panel', 'The panel', 'O painel'),
  staff('panel-words', 'Words of the panel', 'Palavras do painel'),
  staff('providers', 'Payment providers', 'Provedores de pagamento'),
  staff('retention', 'Retention and erasure', 'Retenção e eliminação'),
  staff('security', 'Threat model', 'Modelo de ameaças'),
  staff('compliance', 'Compliance', 'Conformidade'),
  inside('architecture', 'Architecture', 'Arquitetura'),
  inside('scaling', 'Capacity', 'Capacidade'),
  inside('faults', 'Faults', 'Falhas'),
  inside('exploration', 'Exploration', 'Exploração'),
  inside('mutants', 'Mutants', 'Mutantes'),
];

/** Pages that are made from the code's own tables, in both languages. */
export const GENERATED_PAGES = [
  { path: 'states', group: 'reference', title: { en: 'State diagrams', 'pt-BR': 'Diagramas de estado' } },
  { path: 'errors', group: 'reference', title: { en: 'Error catalogue', 'pt-BR': 'Catálogo de erros' } },
] as const satisfies readonly { path: string; group: GroupName; title: Readonly<Record<Language, string>> }[];

/** Folders of docs/ with no pages of the site: each file there is reached from the repository only. */
export const NOT_ON_THE_SITE: Readonly<Record<string, string>> = {
  'docs/decisions': 'reasons for people who change the code',
};

/** Whether a page of this group is part of a site for these readers. */
export function isFor(audience: Audience, group: GroupName): boolean {
  return audience === 'staff' || GROUPS[group].audience === 'operators';
}

/** The path of a page in a language, below the site's base and without a slash at the start. */
export function inLanguage(language: Language, path: string): string {
  return language === 'en' ? path : `pt-BR/${path}`;
}
