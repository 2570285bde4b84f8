// Texts of the inbox of requests that take two people.
import type { RequestKind } from '../../../domain/approvals.js';
import type { CashMovementKind } from '../../../domain/cash-movements.js';

const kindsPt: Readonly<Record<RequestKind, string>> = {
  key: 'Criar uma chave de API',
  allowlist: 'Trocar as redes que podem chamar',
  webhook: 'Mudar para onde vão os eventos',
  provider: 'Levar os pagamentos novos por outro provedor',
  certificate: 'Permitir a emissão de um certificado, em sete dias',
  webhook_secret: 'Permitir a criação de um novo segredo de webhooks, em sete dias',
  sealing_key: 'Aposentar uma chave de selo',
  resume: 'Deixar uma operação suspensa chamar de novo',
  automatic_resume: 'Deixar os saques serem automáticos de novo',
  provider_resume: 'Retomar um provedor pausado',
  cash_movement: 'Mover dinheiro fora dos pagamentos',
  list_removal: 'Tirar um item da lista de bloqueio',
  player_erasure: 'Apagar os dados de um jogador, para sempre',
  statement_removal: 'Desfazer a importação de um dia do extrato',
};

const kindsEn: Readonly<Record<RequestKind, string>> = {
  key: 'Create an API key',
  allowlist: 'Replace the networks that may call',
  webhook: 'Change where events are delivered',
  provider: 'Send new payments through another provider',
  certificate: 'Let one certificate be issued, within seven days',
  webhook_secret: 'Let one new webhook secret be made, within seven days',
  sealing_key: 'Retire a sealing key',
  resume: 'Let a suspended operation call again',
  automatic_resume: 'Let withdrawals be automatic again',
  provider_resume: 'Resume a paused provider',
  cash_movement: 'Move money outside of payments',
  list_removal: 'Take an entry off the block list',
  player_erasure: 'Erase the data of a player, for good',
  statement_removal: 'Take back an imported day of a statement',
};

/** What a request asks for, field by field. A field without words here has its own name. */
const fieldsPt = {
  scopes: 'Escopos',
  url: 'Endereço',
  provider: 'Provedor',
  signing_request: 'Resumo do pedido de assinatura',
  days: 'Dias de validade',
  revoke_earlier: 'Os segredos anteriores deixam de valer',
  key_id: 'Chave',
  list: 'Lista',
  kind: 'Tipo',
  entry: 'Item (começo do hash)',
  player: 'Jogador',
  day: 'Dia',
  lines: 'Linhas importadas',
  digest: 'Resumo (SHA-256) das linhas',
  reason: 'Motivo',
};

const fieldsEn: typeof fieldsPt = {
  scopes: 'Scopes',
  url: 'Address',
  provider: 'Provider',
  signing_request: 'Digest of the signing request',
  days: 'Days of validity',
  revoke_earlier: 'Earlier secrets stop working',
  key_id: 'Key',
  list: 'List',
  kind: 'Kind',
  entry: 'Entry (beginning of its hash)',
  player: 'Player',
  day: 'Day',
  lines: 'Imported lines',
  digest: 'Digest (SHA-256) of the lines',
  reason: 'Reason',
};

const cashPt = {
  movements: {
    funding: (money) => `${money} entram no caixa: o operador enviou o dinheiro.`,
    settlement: (money) => `${money} saem do caixa: são repassados ao operador.`,
    suspense_returned: (money) => `${money} em suspenso voltaram ao pagador.`,
    suspense_credited: (money) => `${money} em suspenso passam para o caixa.`,
    correction_up: (money) => `O caixa é corrigido: ${money} a mais.`,
    correction_down: (money) => `O caixa é corrigido: ${money} a menos.`,
  } as Readonly<Record<CashMovementKind, (money: string) => string>>,
  document: 'Documento',
  reason: 'Motivo',
};

const cashEn: typeof cashPt = {
  movements: {
    funding: (money) => `${money} come into the cash box: the operator sent the money.`,
    settlement: (money) => `${money} leave the cash box: they are settled to the operator.`,
    suspense_returned: (money) => `${money} in suspense went back to the payer.`,
    suspense_credited: (money) => `${money} in suspense go to the cash box.`,
    correction_up: (money) => `The cash box is corrected: ${money} more.`,
    correction_down: (money) => `The cash box is corrected: ${money} less.`,
  },
  document: 'Document',
  reason: 'Reason',
};

const ptBr = {
  title: 'Aprovações',
  intro: 'Pedidos que precisam de uma segunda pessoa. Um pedido, sozinho, não muda nada.',
  kinds: kindsPt,
  by: (person: string) => `pedido por ${person}`,
  own: 'seu pedido',
  content: 'O que é pedido',
  fields: fieldsPt as Readonly<Record<string, string>>,
  nothingMore: 'Nada além disso.',
  cash: cashPt,
  networks: { added: 'Entram', removed: 'Saem', kept: 'Ficam', none: 'nenhuma' },
  writeOffs: {
    title: 'Saques perdidos à espera da segunda pessoa',
    payout: (money: string) => `Baixa de um saque de ${money}`,
    evidence: 'Evidência',
    lapses: 'O pedido vence',
    more: 'Há mais: decida estes primeiro.',
  },
  approve: 'Aprovar',
  reject: 'Recusar',
  withdraw: 'Retirar',
  reason: 'Motivo',
  done: { approved: 'Pedido aprovado.', rejected: 'Pedido recusado.' },
  keyTitle: 'A nova chave',
  keyText: 'O segredo aparece só agora. Entregue ao operador por um canal seguro; a página não o guarda.',
  keyId: 'Id da chave',
  secret: 'Segredo',
  kept: 'Já guardei',
  empty: 'Nenhum pedido espera',
  emptyText: 'Novos pedidos aparecem aqui sozinhos.',
  unknown: 'A resposta se perdeu: o pedido pode ter sido decidido. Veja a lista antes de repetir.',
};

const en: typeof ptBr = {
  title: 'Approvals',
  intro: 'Requests that need a second person. A request by itself changes nothing.',
  kinds: kindsEn,
  by: (person) => `asked for by ${person}`,
  own: 'your request',
  content: 'What is asked for',
  fields: fieldsEn,
  nothingMore: 'Nothing beyond that.',
  cash: cashEn,
  networks: { added: 'Added', removed: 'Removed', kept: 'Kept', none: 'none' },
  writeOffs: {
    title: 'Lost payouts that wait for the second person',
    payout: (money) => `Write-off of a withdrawal of ${money}`,
    evidence: 'Evidence',
    lapses: 'The request lapses',
    more: 'There are more: decide these first.',
  },
  approve: 'Approve',
  reject: 'Reject',
  withdraw: 'Withdraw',
  reason: 'Reason',
  done: { approved: 'Request approved.', rejected: 'Request rejected.' },
  keyTitle: 'The new key',
  keyText: 'The secret is shown only now. Give it to the operator by a safe way; the page does not keep it.',
  keyId: 'Key id',
  secret: 'Secret',
  kept: 'I have kept it',
  empty: 'No request waits',
  emptyText: 'New requests appear here by themselves.',
  unknown: 'The answer was lost: the request may have been decided. Look at the list before you repeat it.',
};

export const approvalTexts = { 'pt-BR': ptBr, en };
