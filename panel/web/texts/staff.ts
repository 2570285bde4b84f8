// Texts of the page of people.
import { counted } from './language.js';

const ptBr = {
  title: 'Equipe',
  note:
    'Aqui você só remove: papéis, sessões e acesso. Pessoas, papéis e códigos são dados com o comando ' +
    'gateway staff.',
  person: 'Pessoa',
  roles: 'Papéis',
  none: 'sem papéis',
  passkeys: 'Chaves de acesso',
  account: 'conta da empresa',
  sessions: 'Sessões abertas',
  seen: 'Último acesso',
  never: 'nunca',
  disabled: 'desativada',
  actions: 'Ações',
  manage: (handle: string) => `Remover de ${handle}`,
  take: 'Remover…',
  takeRole: (role: string, where: string) => `Remover o papel: ${role} · ${where}`,
  endSessions: 'Encerrar todas as sessões',
  disable: 'Desativar a pessoa',
  whatHappens: 'Vale na hora: quem perde um papel ou é desativado sai de todo lugar. Fica na auditoria.',
  kept: { yourself: 'Outro administrador faz isso com você.', last_admin: 'Sempre fica um administrador.' },
  notYours: 'Só um administrador de todas as operações pode remover.',
  more: 'Há mais pessoas: gateway staff list mostra todas.',
  done: (handle: string) => `${handle}: feito`,
  nothing: (handle: string) => `${handle}: não havia o que remover`,
  people: (n: number) => counted(n, 'pessoa', 'pessoas'),
};

const en: typeof ptBr = {
  title: 'Staff',
  note: 'Here you only take away: roles, sign-ins and access. People, roles and codes are given with gateway staff.',
  person: 'Person',
  roles: 'Roles',
  none: 'no roles',
  passkeys: 'Passkeys',
  account: 'company account',
  sessions: 'Open sign-ins',
  seen: 'Last seen',
  never: 'never',
  disabled: 'disabled',
  actions: 'Actions',
  manage: (handle) => `Take away from ${handle}`,
  take: 'Take away…',
  takeRole: (role, where) => `Take the role: ${role} · ${where}`,
  endSessions: 'End all sign-ins',
  disable: 'Disable the person',
  whatHappens: 'It counts at once: whoever loses a role or is disabled is signed out everywhere. It is audited.',
  kept: { yourself: 'Another admin does that to you.', last_admin: 'One admin always stays.' },
  notYours: 'Only an admin of every operation may take away.',
  more: 'There are more people: gateway staff list shows all.',
  done: (handle) => `${handle}: done`,
  nothing: (handle) => `${handle}: there was nothing to take`,
  people: (n) => counted(n, 'person', 'people'),
};

export const staffTexts = { 'pt-BR': ptBr, en };
