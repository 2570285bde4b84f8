// The page of state diagrams, in both languages, from the tables of transitions.
import { DEPOSIT_STATUSES, DEPOSIT_TRANSITIONS } from '../../../domain/payments/deposit.js';
import { WITHDRAWAL_STATUSES, WITHDRAWAL_TRANSITIONS } from '../../../domain/payments/withdrawal.js';
import { type StateTable, stateDiagram, type Transition } from './diagram.js';
import type { Language } from './pages.js';

const TABLES: readonly StateTable[] = [
  { name: 'deposit', statuses: DEPOSIT_STATUSES, transitions: DEPOSIT_TRANSITIONS },
  { name: 'withdrawal', statuses: WITHDRAWAL_STATUSES, transitions: WITHDRAWAL_TRANSITIONS },
];

const TEXTS = {
  en: {
    title: 'State diagrams',
    intro:
      'Drawn from the tables that the gateway runs on. A box with a double border is an end. A thick line moves money in ' +
      'the ledger. Each line is one `version` and one event, `<object>.<new state>`. Treat a state that you do not know ' +
      'as not final.',
    heading: { deposit: 'Deposit', withdrawal: 'Withdrawal' },
    columns: ['trigger', 'from', 'to', 'ledger movement'],
  },
  'pt-BR': {
    title: 'Diagramas de estado',
    intro:
      'Desenhados a partir das tabelas que o gateway executa. Uma caixa de borda dupla é um fim. Uma linha grossa ' +
      'movimenta dinheiro no livro contábil. Cada linha é uma `version` e um evento, `<objeto>.<novo estado>`. Trate um estado ' +
      'desconhecido como não final.',
    heading: { deposit: 'Depósito', withdrawal: 'Saque' },
    columns: ['gatilho', 'de', 'para', 'movimento no livro contábil'],
  },
} as const;

const code = (text: string) => `\`${text}\``;

function tableOf(transitions: Readonly<Record<string, Transition>>, columns: readonly string[]): string {
  const rows = Object.entries(transitions).map(([trigger, { from, to, moves }]) => [
    code(trigger),
    from.map(code).join(', '),
    code(to),
    moves === null ? '' : code(moves),
  ]);
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The page as Markdown. */
export async function statesPage(language: Language): Promise<string> {
  const { title, intro, heading, columns } = TEXTS[language];
  const parts = await Promise.all(
    TABLES.map(async (table) => {
      const picture = await stateDiagram(table, language);
      return `## ${heading[table.name]}\n\n<div class="states">\n${picture}\n</div>\n\n${tableOf(table.transitions, columns)}`;
    }),
  );
  return `# ${title}\n\n${intro}\n\n${parts.join('\n\n')}\n`;
}
