// The configuration of VitePress: two languages, a search without a server, no fonts and scripts of others.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { anchorOf } from './anchors.js';
import { BASE } from './links.js';
import { type PageTexts, readAsRepository } from './markdown.js';
import {
  type Audience,
  GENERATED_PAGES,
  GROUPS,
  type GroupName,
  inLanguage,
  isFor,
  type Language,
  SITE_PAGES,
} from './pages.js';

const REFERENCE: Readonly<Record<Language, string>> = { en: 'API reference', 'pt-BR': 'Referência da API (em inglês)' };

function groupItems(name: GroupName, language: Language): DefaultTheme.SidebarItem[] {
  const written = SITE_PAGES.filter(({ group }) => group === name).map(({ path, title, portuguese }) => ({
    text: language === 'en' || 'source' in portuguese ? title[language] : `${title[language]} (EN)`,
    link: `/${'source' in portuguese ? inLanguage(language, path) : path}`,
  }));
  const generated = GENERATED_PAGES.filter(({ group }) => group === name).map(({ path, title }) => ({
    text: title[language],
    link: `/${inLanguage(language, path)}`,
  }));
  const reference = name === 'reference' ? [{ text: REFERENCE[language], link: '/reference', target: '_self' }] : [];
  return [...reference, ...generated, ...written];
}

function sidebarOf(language: Language, audience: Audience): DefaultTheme.SidebarItem[] {
  return (Object.keys(GROUPS) as GroupName[])
    .filter((name) => isFor(audience, name))
    .map((name) => ({ text: GROUPS[name].title[language], collapsed: false, items: groupItems(name, language) }));
}

const PORTUGUESE: DefaultTheme.Config = {
  outline: { level: [2, 3], label: 'Nesta página' },
  docFooter: { prev: 'Página anterior', next: 'Próxima página' },
  darkModeSwitchLabel: 'Aparência',
  lightModeSwitchTitle: 'Mudar para o tema claro',
  darkModeSwitchTitle: 'Mudar para o tema escuro',
  sidebarMenuLabel: 'Menu',
  returnToTopLabel: 'Voltar ao topo',
  langMenuLabel: 'Mudar de idioma',
  skipToContentLabel: 'Ir para o conteúdo',
};

const PORTUGUESE_SEARCH = {
  button: { buttonText: 'Buscar', buttonAriaLabel: 'Buscar' },
  modal: {
    displayDetails: 'Mostrar detalhes',
    resetButtonTitle: 'Limpar a busca',
    backButtonTitle: 'Fechar a busca',
    noResultsText: 'Nada encontrado para',
    footer: {
      selectText: 'abrir',
      selectKeyAriaLabel: 'Enter',
      navigateText: 'navegar',
      navigateUpKeyAriaLabel: 'seta para cima',
      navigateDownKeyAriaLabel: 'seta para baixo',
      closeText: 'fechar',
      closeKeyAriaLabel: 'Esc',
    },
  },
};

/** What `stage.ts` leaves beside the pages for this file. */
export const STAGED_TEXTS = 'texts.json';

/** The configuration for the pages that were staged in this folder. */
export function siteConfig(root: string) {
  const textsFile = join(root, '.vitepress', STAGED_TEXTS);
  if (!existsSync(textsFile)) throw new Error(`no pages were staged in ${root}`);
  const texts = JSON.parse(readFileSync(textsFile, 'utf8')) as PageTexts & { readonly outDir: string };
  const nav = (language: Language): DefaultTheme.NavItem[] => [
    { text: SITE_PAGES[0]?.title[language] ?? '', link: `/${inLanguage(language, 'quickstart')}` },
    { text: REFERENCE[language].replace(/ \(.*/, ''), link: '/reference', target: '_self' },
  ];
  return defineConfig({
    base: BASE,
    outDir: texts.outDir,
    title: 'Operator Payments Gateway',
    cleanUrls: true,
    // The table of chunks as a file: an inline script would differ from build to build.
    metaChunk: true,
    // Sooner than a request of each picture: the policy of the pages names no other server.
    head: [['link', { rel: 'icon', href: 'data:,' }]],
    ignoreDeadLinks: [/^http:\/\/localhost/, /^\/reference$/, /^\/v1\//],
    locales: {
      root: {
        label: 'English',
        lang: 'en',
        description: 'PIX deposits and withdrawals for operators',
        themeConfig: { nav: nav('en'), sidebar: sidebarOf('en', texts.audience) },
      },
      'pt-BR': {
        label: 'Português (Brasil)',
        lang: 'pt-BR',
        description: 'Depósitos e saques PIX para operadores',
        themeConfig: { ...PORTUGUESE, nav: nav('pt-BR'), sidebar: sidebarOf('pt-BR', texts.audience) },
      },
    },
    themeConfig: {
      // As wide as the sidebar lets it be.
      siteTitle: 'Payments Gateway',
      outline: { level: [2, 3] },
      search: { provider: 'local', options: { locales: { 'pt-BR': { translations: PORTUGUESE_SEARCH } } } },
    },
    markdown: {
      anchor: { slugify: anchorOf },
      // The usual ones have too little contrast on grey.
      theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
      config: readAsRepository(texts),
    },
    vite: { configFile: false, logLevel: 'warn', build: { target: 'es2022', chunkSizeWarningLimit: 4_000 } },
  });
}
