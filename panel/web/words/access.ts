// Words of what people stop at once in an operation, and of what they ask for.
import type { Scope } from '../../../contract/http/route.js';

const ptBr = {
  acts: {
    stop_automatic: {
      button: 'Parar saques automáticos',
      text: 'A partir da próxima decisão, todo saque vai para a fila. O que foi aprovado sozinho e não saiu espera. Depósitos e chamadas seguem; o que as pessoas aprovam é enviado.',
    },
    resume_automatic: {
      button: 'Deixar os saques serem automáticos de novo',
      text: 'As regras voltam a decidir sozinhas, e o que esperava é conferido outra vez.',
    },
    suspend: {
      button: 'Suspender a operação',
      text: 'Toda chamada dela recebe 403. Os pagamentos abertos continuam, e os saques aprovados esperam.',
    },
    resume: { button: 'Deixar a operação chamar de novo', text: 'As chaves dela voltam a valer.' },
    ask_key: {
      button: 'Pedir uma chave',
      text: 'O segredo aparece uma só vez, para quem aprova. Duas chaves com os mesmos escopos valem ao mesmo tempo: a segunda é a sucessora da primeira.',
    },
    set_networks: {
      button: 'Trocar as redes',
      text: 'Uma rede por linha, como 203.0.113.0/24. As de agora são trocadas por estas. Sem nenhuma, no sandbox qualquer endereço chama; em produção, ninguém.',
    },
    revoke_key: {
      button: 'Revogar',
      text: 'As chamadas com ela recebem 401 a partir de agora. Não há volta: o operador precisa de outra chave.',
    },
  },
  revokeOf: (key: string) => `Revogar ${key}`,
  needsTwo: 'Em produção isto vira um pedido, que outra pessoa aprova.',
  scopes: 'Escopos',
  scopeNames: {
    read: 'ler',
    'deposits:write': 'criar depósitos',
    'withdrawals:write': 'criar saques',
    'rules:propose': 'propor regras',
  } as Readonly<Record<Scope, string>>,
  networks: 'Redes',
  requested: (id: string) => `Pedido ${id} criado: outra pessoa o aprova em Aprovações.`,
  done: 'Feito.',
};

const en: typeof ptBr = {
  acts: {
    stop_automatic: {
      button: 'Stop automatic withdrawals',
      text: 'From the next decision on every withdrawal goes to the queue. What was approved automatically and has not left waits. Deposits and calls go on; what people approve is sent.',
    },
    resume_automatic: {
      button: 'Let withdrawals be automatic again',
      text: 'The rules decide by themselves again, and what waited is checked once more.',
    },
    suspend: {
      button: 'Suspend the operation',
      text: 'Every call of it is answered 403. Open payments go on, and approved withdrawals wait.',
    },
    resume: { button: 'Let the operation call again', text: 'Its keys work again.' },
    ask_key: {
      button: 'Ask for a key',
      text: 'The secret is shown once, to whoever approves. Two keys with the same scopes may work at a time: the second is the successor of the first.',
    },
    set_networks: {
      button: 'Replace the networks',
      text: 'One network a line, such as 203.0.113.0/24. These replace the present ones. Without any, every address may call in the sandbox, and nobody in production.',
    },
    revoke_key: {
      button: 'Revoke',
      text: 'Calls with it are answered 401 from now on. There is no way back: the operator needs another key.',
    },
  },
  revokeOf: (key) => `Revoke ${key}`,
  needsTwo: 'In production this becomes a request that another person approves.',
  scopes: 'Scopes',
  scopeNames: {
    read: 'read',
    'deposits:write': 'create deposits',
    'withdrawals:write': 'create withdrawals',
    'rules:propose': 'propose rules',
  },
  networks: 'Networks',
  requested: (id) => `Request ${id} is made: another person approves it under Approvals.`,
  done: 'Done.',
};

export const accessWords = { 'pt-BR': ptBr, en };
