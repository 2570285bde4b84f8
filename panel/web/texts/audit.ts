// Texts of the audit trail.
import { counted } from './language.js';

const ptBr = {
  title: 'Auditoria',
  when: 'Quando',
  person: 'Quem',
  action: 'O quê',
  subject: 'Sobre',
  verified: 'Cadeia verificada',
  notVerified: 'A cadeia ainda não foi verificada.',
  problems: (n: number) => counted(n, 'problema', 'problemas'),
  sound: 'sem problemas',
  none: 'Nenhuma entrada com estes filtros',
  filter: 'Filtrar',
  hash: 'Elo da cadeia',
  export: 'Exportar (CSV)',
  exportText:
    'O arquivo tem todas as entradas destes filtros, e a exportação fica na trilha. Os selos são ' +
    'exportados pelo comando gateway audit export.',
};

const en: typeof ptBr = {
  title: 'Audit trail',
  when: 'When',
  person: 'Who',
  action: 'What',
  subject: 'About',
  verified: 'Chain verified',
  notVerified: 'The chain has not been verified yet.',
  problems: (n) => counted(n, 'problem', 'problems'),
  sound: 'no problems',
  none: 'No entry with these filters',
  filter: 'Filter',
  hash: 'Link of the chain',
  export: 'Export (CSV)',
  exportText:
    'The file has every entry of these filters, and the trail has the export. The command gateway audit ' +
    'export exports the seals.',
};

export const auditTexts = { 'pt-BR': ptBr, en };
