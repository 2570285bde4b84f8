// The site's first page, in both languages: where to go, and every call of the API.
import type { RouteDefinition } from '../../../contract/http/route.js';
import { ROUTES } from '../../../contract/http/routes.js';
import { type Audience, inLanguage, type Language } from './pages.js';

const TEXTS = {
  en: {
    tagline: 'PIX deposits and withdrawals: one signed API, signed webhooks, and no payment sent twice.',
    start: 'Start in five minutes',
    guide: 'Integration guide',
    reference: 'API reference',
    features: [
      ['quickstart', 'Quickstart', 'A signed call, a paid deposit and a verified webhook on your own machine.'],
      ['concepts', 'Concepts', 'Objects, states, versions, keys, and who decides what about money.'],
      ['sandbox-recipes', 'Sandbox recipes', 'Make wrong payers, lost answers, reviews and outages happen.'],
      ['errors', 'Error catalogue', 'Each code: its causes, what to do, and what it says about the payment.'],
    ],
    calls: 'Every call',
    contract: 'The contract as a document:',
    columns: ['call', 'what it does'],
    handbook: 'The people who run the gateway begin with [running it](/running) and [operating it](/operating).',
  },
  'pt-BR': {
    tagline: 'Depósitos e saques PIX: uma API assinada, webhooks assinados e nenhum pagamento enviado duas vezes.',
    start: 'Comece em cinco minutos',
    guide: 'Guia de integração',
    reference: 'Referência da API',
    features: [
      ['quickstart', 'Início rápido', 'Uma chamada assinada, um depósito pago e um webhook verificado na sua máquina.'],
      ['concepts', 'Conceitos', 'Objetos, estados, versões, chaves e quem decide o quê sobre o dinheiro.'],
      ['sandbox-recipes', 'Receitas do sandbox', 'Provoque outro pagador, respostas perdidas, revisões e quedas.'],
      ['errors', 'Catálogo de erros', 'Cada código: as causas, o que fazer e o que ele diz sobre o pagamento.'],
    ],
    calls: 'Todas as chamadas',
    contract: 'O contrato como documento:',
    columns: ['chamada', 'o que faz (em inglês)'],
    handbook: 'Quem opera o gateway começa por [executar](/running) e [operar](/operating) (em inglês).',
  },
} as const;

/** The page as Markdown for VitePress's layout of first pages. */
export function homePage(language: Language, audience: Audience, contract: string): string {
  const { tagline, start, guide, reference, features, calls, contract: document, columns, handbook } = TEXTS[language];
  const frontmatter = {
    layout: 'home',
    generated: true,
    hero: {
      name: 'Operator Payments Gateway',
      tagline,
      actions: [
        { theme: 'brand', text: start, link: `/${inLanguage(language, 'quickstart')}` },
        { theme: 'alt', text: guide, link: `/${inLanguage(language, 'integrating')}` },
        { theme: 'alt', text: reference, link: '/reference', target: '_self' },
      ],
    },
    features: features.map(([path, title, details]) => ({ title, details, link: `/${inLanguage(language, path)}` })),
  };
  const rows = (ROUTES as readonly RouteDefinition[]).map(
    ({ method, path, summary }) => `| \`${method} /v1${path.replaceAll(/:([a-z_]+)/g, '{$1}')}\` | ${summary} |`,
  );
  const table = [`| ${columns.join(' | ')} |`, '| --- | --- |', ...rows].join('\n');
  const staff = audience === 'staff' ? `\n${handbook}\n` : '';
  // JSON is YAML.
  return `---\n${JSON.stringify(frontmatter)}\n---\n\n## ${calls}\n\n${document} [openapi.yaml](${contract})\n\n${table}\n${staff}`;
}
