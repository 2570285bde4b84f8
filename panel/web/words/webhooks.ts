// Words of the page of webhooks.
import { counted } from './language.js';

const ptBr = {
  title: 'Webhooks',
  note: 'Um evento só também se entrega de novo na página do seu pagamento.',
  address: 'Endereço',
  noAddress: 'sem endereço',
  healthy: 'tudo entregue',
  failing: (n: number) => counted(n, 'evento não aceito', 'eventos não aceitos'),
  since: 'Desde',
  last: 'Última resposta',
  log: 'Entregas',
  logOf: (name: string) => `Entregas de ${name}`,
  showLog: 'Ver as entregas',
  hideLog: 'Fechar as entregas',
  onlyFailed: 'Só as não aceitas',
  noAttempts: 'Nenhuma entrega.',
  columns: {
    sentAt: 'Enviado',
    event: 'Evento',
    about: 'Sobre',
    attempt: 'Tentativa',
    answer: 'Resposta',
    next: 'De novo',
  },
  milliseconds: (n: number) => `${n} ms`,
  redeliver: 'Entregar um período de novo',
  from: 'Desde',
  to: 'Até',
  selection: 'Quais eventos',
  selections: { undelivered: 'os que o endereço nunca aceitou', all: 'todos' },
  utc: (from: string, to: string) => `Em UTC: ${from} a ${to}`,
  wrongSpan: 'O fim precisa ser depois do começo.',
  explained:
    'Do mais antigo ao mais novo, dez por segundo. Quem recebe reconhece a repetição pelo id do evento. ' +
    'No máximo 10.000 eventos.',
  send: 'Entregar de novo',
  scheduled: (n: number) => `${counted(n, 'evento', 'eventos')} a caminho`,
  nothing: 'Não há evento assim neste período.',
};

const en: typeof ptBr = {
  title: 'Webhooks',
  note: 'A single event is also delivered again on the page of its payment.',
  address: 'Address',
  noAddress: 'no address',
  healthy: 'everything delivered',
  failing: (n) => counted(n, 'event not accepted', 'events not accepted'),
  since: 'Since',
  last: 'Last answer',
  log: 'Deliveries',
  logOf: (name) => `Deliveries of ${name}`,
  showLog: 'Show deliveries',
  hideLog: 'Hide deliveries',
  onlyFailed: 'Only those not accepted',
  noAttempts: 'No deliveries.',
  columns: { sentAt: 'Sent', event: 'Event', about: 'About', attempt: 'Attempt', answer: 'Answer', next: 'Again' },
  milliseconds: (n) => `${n} ms`,
  redeliver: 'Deliver a span of time again',
  from: 'From',
  to: 'To',
  selection: 'Which events',
  selections: { undelivered: 'those that the endpoint never accepted', all: 'all' },
  utc: (from, to) => `In UTC: ${from} to ${to}`,
  wrongSpan: 'The end must be after the beginning.',
  explained:
    'Oldest first, ten a second. Whoever receives a repetition knows it by the event’s id. At most 10,000 events.',
  send: 'Deliver again',
  scheduled: (n) => `${counted(n, 'event', 'events')} on the way`,
  nothing: 'There is no such event in this span.',
};

export const webhookWords = { 'pt-BR': ptBr, en };
