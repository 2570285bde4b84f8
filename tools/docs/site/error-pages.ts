// The error catalogue, in both languages: a page of all codes and one for each, from the tables of the contract.
import { ERROR_CODES, type ErrorCode, ERRORS } from '../../../contract/http/errors.js';
import { ROUTES } from '../../../contract/http/routes.js';
import {
  answersOf,
  KINDS,
  verdictAt,
  type AnswerName,
  answerText,
  ENDPOINT_KINDS,
  VERDICTS,
} from '../../../contract/http/verdicts.js';
import { inLanguage, type Language } from './pages.js';
import { englishError, type ErrorTexts, PORTUGUESE_ERRORS } from './portuguese/errors.js';
import { PORTUGUESE_KINDS, PORTUGUESE_REFUSALS, PORTUGUESE_VERDICTS } from './portuguese/verdicts.js';
import { BEHIND } from './translations.js';

const TEXTS = {
  en: {
    title: 'Error catalogue',
    intro:
      'Every refusal is `application/problem+json`; its `type` leads to the page of its code. Decide by `code`, never by ' +
      '`detail`.',
    columns: ['status', 'code', '`retryable`', 'meaning'],
    status: 'HTTP status',
    causes: 'What brings it about',
    next: 'What to do',
    payment: 'What it says about the payment',
    nothing: 'Nothing: no endpoint of this version answers it.',
    answer: 'answer',
    all: 'All codes',
    behind: '',
  },
  'pt-BR': {
    title: 'Catálogo de erros',
    intro:
      'Toda recusa é `application/problem+json`; o seu `type` leva à página do código. Decida por `code`, nunca por ' +
      '`detail`.',
    columns: ['status', 'código', '`retryable`', 'significado'],
    status: 'Status HTTP',
    causes: 'O que o provoca',
    next: 'O que fazer',
    payment: 'O que ele diz sobre o pagamento',
    nothing: 'Nada: nenhuma rota desta versão o devolve.',
    answer: 'resposta',
    all: 'Todos os códigos',
    behind: '*O texto em inglês é mais recente que a tradução.*',
  },
} as const;

/** The name of a code in {@link BEHIND}. */
export const nameOfError = (code: ErrorCode): string => `errors: ${code}`;

/** The translation, or the English text while the translation is behind. */
function textsOf(code: ErrorCode, language: Language): ErrorTexts & { readonly isBehind: boolean } {
  if (language === 'en') return { ...englishError(code), isBehind: false };
  const isBehind = BEHIND.includes(nameOfError(code));
  return { ...(isBehind ? englishError(code) : PORTUGUESE_ERRORS[code]), isBehind };
}

function answer(name: AnswerName, language: Language): string {
  const translated: Readonly<Record<string, string>> = language === 'en' ? {} : PORTUGUESE_REFUSALS;
  return translated[name] ?? answerText(name);
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function paymentPart(code: ErrorCode, language: Language): string {
  const [verdicts, kinds] = language === 'en' ? [VERDICTS, ENDPOINT_KINDS] : [PORTUGUESE_VERDICTS, PORTUGUESE_KINDS];
  const rows = answersOf(code).map((name) => ({ name, cells: KINDS.map((kind) => verdictAt(ROUTES, name, kind)) }));
  const found = [...new Set(rows.flatMap(({ cells }) => cells))].filter((verdict) => verdict !== null);
  if (found.length === 0) return TEXTS[language].nothing;
  const texts = rows.map(({ name, cells }) => [
    answer(name, language),
    ...cells.map((verdict) => (verdict === null ? '–' : verdicts[verdict].title)),
  ]);
  const meanings = found.map((verdict) => {
    const { title, meaning, next } = verdicts[verdict];
    return `* **${title}** (\`${verdict}\`): ${meaning} ${next}`;
  });
  return `${table([TEXTS[language].answer, ...KINDS.map((kind) => kinds[kind])], texts)}\n\n${meanings.join('\n')}`;
}

function errorPage(code: ErrorCode, language: Language): string {
  const { status, retryable } = ERRORS[code];
  const { detail, causes, next, isBehind } = textsOf(code, language);
  const text = TEXTS[language];
  return `# \`${code}\`

${isBehind ? `${text.behind}\n\n` : ''}${text.status} ${status}. ${detail} \`retryable\`: \`${String(retryable)}\`.

## ${text.causes}

${causes.map((cause) => `* ${cause}`).join('\n')}

## ${text.next}

${next}

## ${text.payment}

${paymentPart(code, language)}

[${text.all}](/${inLanguage(language, 'errors')})
`;
}

function catalogue(language: Language): string {
  const { title, intro, columns } = TEXTS[language];
  const rows = ERROR_CODES.map((code) => [
    String(ERRORS[code].status),
    `[\`${code}\`](/${inLanguage(language, `errors/${code}`)})`,
    String(ERRORS[code].retryable),
    textsOf(code, language).detail,
  ]);
  return `# ${title}\n\n${intro}\n\n${table(columns, rows)}\n`;
}

/** The pages by their path without a language. */
export function errorPages(language: Language): readonly (readonly [path: string, text: string])[] {
  return [
    ['errors', catalogue(language)],
    ...ERROR_CODES.map((code) => [`errors/${code}`, errorPage(code, language)] as const),
  ];
}
