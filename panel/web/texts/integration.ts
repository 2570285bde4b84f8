// Texts of the page of an operator's own people: what is left before going live, and the log of their calls.
import type { GoLiveStep } from '../../../contract/panel/schemas/integration.js';

const ptBr = {
  title: 'Integração',
  note:
    'O que o gateway vê da integração desta operação. Chaves, redes, o endereço de webhooks e outro segredo se pedem em ' +
    'Acessos; as entregas estão em Webhooks.',
  goLive: 'Antes de ir para produção',
  goLiveNote: 'O gateway marca sozinho o que viu. O guia do integrador tem a lista inteira.',
  columns: { step: 'Etapa', state: 'Situação', at: 'Visto', evidence: 'Evidência' },
  done: 'feito',
  open: 'falta',
  steps: {
    conformance: 'O relatório de conformidade passou e foi registrado',
    key_used: 'Uma chave que vale assinou chamadas',
    key_changed: 'A troca de chave foi testada: uma segunda chave assinou',
    networks: 'As redes que podem chamar estão definidas',
    webhook_address: 'O endereço de webhooks está definido',
    webhook_accepted: 'Um webhook foi aceito',
    no_webhook_waits: 'Nenhum evento espera por entrega',
    day_read: 'Um dia foi conciliado nos últimos três dias',
  } satisfies Record<GoLiveStep, string>,
  requests: 'Pedidos de acesso',
  noRequests: 'Nenhum pedido.',
  requestColumns: { what: 'Pedido', status: 'Situação', by: 'De quem', at: 'Quando' },
  statuses: { pending: 'espera', approved: 'aprovado', rejected: 'rejeitado', used: 'usado' } as Readonly<
    Record<string, string>
  >,
  yours: 'seu',
  others: 'de outra pessoa',
  calls: 'Suas chamadas dos últimos três dias',
  callsNote:
    'Sem jogadores: nada do que foi enviado é guardado. O hash é o das seis linhas assinadas, como o gateway as lê.',
  onlyRefused: 'Só recusadas',
  noCalls: 'Nenhuma chamada.',
  callColumns: { at: 'Quando', call: 'Chamada', answer: 'Resposta', why: 'Motivo', from: 'De onde', trace: 'Rastro' },
  unsigned: 'não assinada',
  noRoute: 'sem rota',
  signedLines: 'linhas assinadas',
  milliseconds: (ms: number) => `${ms} ms`,
};

const en: typeof ptBr = {
  title: 'Integration',
  note:
    'What the gateway sees of this operation’s integration. Keys, networks, the webhook address and another secret are ' +
    'asked for under Access; deliveries are under Webhooks.',
  goLive: 'Before going live',
  goLiveNote: 'The gateway ticks what it has seen. The integrator’s guide has the whole list.',
  columns: { step: 'Step', state: 'State', at: 'Seen', evidence: 'Evidence' },
  done: 'done',
  open: 'open',
  steps: {
    conformance: 'The conformance report passed and is recorded',
    key_used: 'A key that works has signed calls',
    key_changed: 'The change of keys was tried: a second key has signed',
    networks: 'The networks that may call are set',
    webhook_address: 'The webhook address is set',
    webhook_accepted: 'A webhook was accepted',
    no_webhook_waits: 'No event waits to be delivered',
    day_read: 'A day was reconciled within the last three days',
  },
  requests: 'Requests for access',
  noRequests: 'No request.',
  requestColumns: { what: 'Request', status: 'State', by: 'Whose', at: 'When' },
  statuses: { pending: 'waits', approved: 'approved', rejected: 'rejected', used: 'used' },
  yours: 'yours',
  others: 'somebody else’s',
  calls: 'Your calls of the last three days',
  callsNote:
    'Without players: nothing that was sent is kept. The digest is that of the six signed lines as the gateway reads them.',
  onlyRefused: 'Only refused ones',
  noCalls: 'No call.',
  callColumns: { at: 'When', call: 'Call', answer: 'Answer', why: 'Why', from: 'From', trace: 'Trace' },
  unsigned: 'not signed',
  noRoute: 'no route',
  signedLines: 'signed lines',
  milliseconds: (ms) => `${ms} ms`,
};

export const integrationTexts = { 'pt-BR': ptBr, en };
