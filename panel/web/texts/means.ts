// How people were authenticated.
import type { StaffMeans } from '../../../domain/staff.js';

const ptBr = {
  title: 'Reconhecido por',
  names: {
    claim: 'só o nome',
    simulated: 'revisor simulado',
    link: 'link de acesso',
    command_line: 'linha de comando',
    break_glass: 'sessão de emergência',
    passkey: 'chave de acesso',
    oidc: 'conta da empresa',
    signature: 'assinatura do ato',
  } as Readonly<Record<StaffMeans, string>>,
};

const en: typeof ptBr = {
  title: 'Recognised by',
  names: {
    claim: 'a name alone',
    simulated: 'simulated reviewer',
    link: 'sign-in link',
    command_line: 'command line',
    break_glass: 'break-glass session',
    passkey: 'passkey',
    oidc: 'company account',
    signature: 'signature of the act',
  },
};

export const meansTexts = { 'pt-BR': ptBr, en };
