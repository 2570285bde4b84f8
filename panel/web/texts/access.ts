// Texts for what people stop at once in an operation, and for what they request.
import type { Scope } from '../../../contract/http/route.js';

const ptBr = {
  page: {
    title: 'Acessos',
    keys: 'Chaves de API',
    key: 'Chave',
    scopes: 'Escopos',
    created: 'Criada',
    firstUse: 'Primeiro uso',
    never: 'nunca',
    expires: 'Vence',
    rotation: 'Troca',
    action: 'Ação',
    rotations: {
      fresh: 'em dia',
      due: 'trocar',
      overdue: 'atrasada',
      ending: 'vencendo',
      ended: 'encerrada',
    } as Readonly<Record<string, string>>,
    networks: 'Redes que podem chamar',
    anyNetwork: 'qualquer rede',
    endpoint: 'Endereço de webhooks',
    noEndpoint: 'sem endereço',
    secretCreated: 'Criado',
    secrets: 'Segredos de webhook',
    noSecrets: 'Nenhum segredo.',
    certificates: 'Certificados',
    serial: 'Série',
    validUntil: 'Válido até',
    renewFrom: 'Renovar a partir de',
    older: 'Só os mais novos aparecem: o comando gateway mostra todos.',
    revoked: 'revogado',
    noCertificates: 'Nenhum certificado.',
    noKeys: 'Nenhuma chave.',
    provider: 'Provedor',
    webhook: 'Endereço dos eventos',
    paused: 'Provedor pausado desde',
    stopped: 'Saques automáticos parados',
    howTo:
      'Quem pode chamar, e o que uma pessoa pode parar na hora. O que abre um acesso vira um pedido em ' +
      'produção, que outra pessoa do gateway aprova. Certificados e provedores se pedem a quem opera o gateway.',
  },
  acts: {
    stop_automatic: {
      button: 'Parar saques automáticos',
      text:
        'A partir da próxima decisão, todo saque vai para a fila. O que foi aprovado sozinho e não saiu ' +
        'espera. Depósitos e chamadas seguem; o que as pessoas aprovam é enviado.',
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
      text:
        'O segredo aparece uma só vez, para quem aprova. Duas chaves com os mesmos escopos valem ao mesmo ' +
        'tempo: a segunda é a sucessora da primeira.',
    },
    set_networks: {
      button: 'Trocar as redes',
      text:
        'Uma rede por linha, como 203.0.113.0/24. As de agora são trocadas por estas. Sem nenhuma, no ' +
        'sandbox qualquer endereço chama; em produção, ninguém.',
    },
    set_webhook: {
      button: 'Trocar o destino dos eventos',
      text: 'Os eventos vão para ele a partir da próxima tentativa. Em produção, só https; sem usuário nem senha.',
    },
    rotate_secret: {
      button: 'Criar outro segredo de webhook',
      text:
        'O novo aparece uma só vez, aqui. Por sete dias as entregas levam as duas assinaturas, a dele e a do anterior: ' +
        'troque o seu nesse prazo.',
    },
    revoke_key: {
      button: 'Revogar',
      text: 'As chamadas com ela recebem 401 a partir de agora. Não há volta: o operador precisa de outra chave.',
    },
  },
  revokeOf: (key: string) => `Revogar ${key}`,
  needsTwo: 'Em produção isto vira um pedido, que outra pessoa aprova.',
  secretNeedsTwo:
    'Em produção isto vira um pedido. Quando outra pessoa o tiver aprovado, faça o mesmo de novo em até sete dias: o ' +
    'segredo aparece então.',
  secretLeaked: 'O anterior vazou: ele deixa de assinar na hora',
  newSecret: {
    title: 'O novo segredo',
    text: 'Guarde agora no seu cofre: ele não aparece outra vez.',
    secret: 'Segredo',
    earlierUntil: 'O anterior assina até',
  },
  scopes: 'Escopos',
  noScopes: 'Escolha ao menos um escopo.',
  sameNetworks: 'Estas são as redes de agora.',
  sameAddress: 'Digite outro endereço.',
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
  page: {
    title: 'Access',
    keys: 'API keys',
    key: 'Key',
    scopes: 'Scopes',
    created: 'Created',
    firstUse: 'First use',
    never: 'never',
    expires: 'Expires',
    rotation: 'Rotation',
    action: 'Action',
    rotations: { fresh: 'fine', due: 'due', overdue: 'overdue', ending: 'ending', ended: 'ended' },
    networks: 'Networks that may call',
    anyNetwork: 'any network',
    endpoint: 'Webhook address',
    noEndpoint: 'no address',
    secretCreated: 'Created',
    secrets: 'Webhook secrets',
    noSecrets: 'No secret.',
    certificates: 'Certificates',
    serial: 'Serial',
    validUntil: 'Valid until',
    renewFrom: 'Renew from',
    older: 'Only the newest are shown: the gateway command shows all.',
    revoked: 'revoked',
    noCertificates: 'No certificate.',
    noKeys: 'No key.',
    provider: 'Provider',
    webhook: 'Address of events',
    paused: 'Provider paused since',
    stopped: 'Automatic withdrawals stopped',
    howTo:
      'Who may call, and what one person can stop at once. What opens an access becomes a request in ' +
      'production, which another person of the gateway approves. Certificates and providers are asked of whoever ' +
      'runs the gateway.',
  },
  acts: {
    stop_automatic: {
      button: 'Stop automatic withdrawals',
      text:
        'From the next decision on every withdrawal goes to the queue. What was approved automatically and ' +
        'has not left waits. Deposits and calls go on; what people approve is sent.',
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
      text:
        'The secret is shown once, to whoever approves. Two keys with the same scopes may work at a time: ' +
        'the second is the successor of the first.',
    },
    set_networks: {
      button: 'Replace the networks',
      text:
        'One network a line, such as 203.0.113.0/24. These replace the present ones. Without any, every ' +
        'address may call in the sandbox, and nobody in production.',
    },
    set_webhook: {
      button: 'Change where events go',
      text: 'Events go there from the next attempt on. In production only https; without a user name or password.',
    },
    rotate_secret: {
      button: 'Make a new webhook secret',
      text:
        'The new one is shown once, here. For seven days deliveries carry both signatures, its own and that of the ' +
        'earlier one: change yours within that time.',
    },
    revoke_key: {
      button: 'Revoke',
      text: 'Calls with it are answered 401 from now on. There is no way back: the operator needs another key.',
    },
  },
  revokeOf: (key) => `Revoke ${key}`,
  needsTwo: 'In production this becomes a request that another person approves.',
  secretNeedsTwo:
    'In production this becomes a request. Once another person has approved it, do the same again within seven days: ' +
    'the secret is shown then.',
  secretLeaked: 'The earlier one leaked: it stops signing at once',
  newSecret: {
    title: 'The new secret',
    text: 'Put it into your vault now: it is not shown again.',
    secret: 'Secret',
    earlierUntil: 'The earlier one signs until',
  },
  scopes: 'Scopes',
  noScopes: 'Choose at least one scope.',
  sameNetworks: 'These are the present networks.',
  sameAddress: 'Type another address.',
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

export const accessTexts = { 'pt-BR': ptBr, en };
