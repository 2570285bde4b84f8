// Texts of the search.
import type { Hit } from '../../../contract/panel/schemas/payments.js';

const typesPt: Readonly<Record<Hit['type'], string>> = {
  deposit: 'Depósito',
  withdrawal: 'Saque',
  event: 'Evento',
  operation: 'Operação',
  key: 'Chave de API',
  alert: 'Alerta',
  rule_change: 'Mudança de regras',
  request_for_approval: 'Pedido de aprovação',
  act: 'Ato',
  request: 'Pedido do operador',
  refused_payment: 'Pagamento recusado',
  cash_movement: 'Movimento de caixa',
  item_return: 'Devolução de um pagamento a esclarecer',
  player: 'Jogador',
};

const foundByPt: Readonly<Record<Hit['found_by'][number], string>> = {
  id: 'id',
  key_id: 'id da chave',
  trace_id: 'código de rastreio',
  end_to_end_id: 'end-to-end id',
  provider_reference: 'referência do provedor',
  external_id: 'id do operador',
  idempotency_key: 'Idempotency-Key',
  player_ref: 'referência do jogador',
  id_end: 'fim do id',
  amount: 'valor',
  document: 'documento',
  pix_key: 'chave PIX',
};

const typesEn: Readonly<Record<Hit['type'], string>> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  event: 'Event',
  operation: 'Operation',
  key: 'API key',
  alert: 'Alert',
  rule_change: 'Change of rules',
  request_for_approval: 'Request for approval',
  act: 'Act',
  request: 'Request of the operator',
  refused_payment: 'Refused payment',
  cash_movement: 'Cash movement',
  item_return: 'Return of a payment in suspense',
  player: 'Player',
};

const foundByEn: Readonly<Record<Hit['found_by'][number], string>> = {
  id: 'id',
  key_id: 'key id',
  trace_id: 'trace',
  end_to_end_id: 'end-to-end id',
  provider_reference: 'provider reference',
  external_id: 'external id',
  idempotency_key: 'Idempotency-Key',
  player_ref: 'player reference',
  id_end: 'end of the id',
  amount: 'amount',
  document: 'document',
  pix_key: 'PIX key',
};

const ptBr = {
  title: 'Busca',
  label: 'Id, id do operador, end-to-end id, referência do provedor ou documento',
  hint:
    'Serve também a referência do jogador, um valor (7.400,00), o fim de um id ou uma chave PIX (e-mail, telefone, ' +
    'aleatória). Documentos e chaves são procurados pelo hash, e a busca é auditada. Valor e fim de id: entre os ' +
    '2.000 pagamentos de cada tipo que mudaram por último. O que você digita não fica no endereço.',
  go: 'Buscar',
  nothing: 'Nada encontrado',
  nothingText: 'Confira o texto. O que está fora das suas operações não aparece.',
  more: 'Há mais resultados: use um texto mais exato.',
  begin: 'Digite o que você tem em mãos',
  beginText: 'Qualquer identificador de um pagamento serve.',
  types: typesPt,
  closedPages: {
    approvals: 'Espera na caixa de aprovações, que seus papéis não abrem.',
    audit: 'Está na auditoria, que seus papéis não abrem.',
  },
  foundBy: foundByPt,
  columns: {
    type: 'Tipo',
    id: 'Id',
    status: 'Estado',
    amount: 'Valor',
    operation: 'Operação',
    foundBy: 'Achado por',
    at: 'Quando',
  },
};

const en: typeof ptBr = {
  title: 'Search',
  label: 'Id, operator’s id, end-to-end id, reference at the provider, or document',
  hint:
    'A player’s reference, an amount (7,400.00), the end of an id or a PIX key (e-mail, phone, random) will do as ' +
    'well. Documents and keys are looked up by their hash, and the search is audited. Amounts and ends of ids: among ' +
    'the 2,000 payments of each kind that changed last. What you type does not stay in the address.',
  go: 'Search',
  nothing: 'Nothing found',
  nothingText: 'Check the text. What is outside your operations does not appear.',
  more: 'There are more results: use a more exact text.',
  begin: 'Type what you have at hand',
  beginText: 'Any identifier of a payment will do.',
  types: typesEn,
  closedPages: {
    approvals: 'It waits in the inbox of approvals, which your roles do not open.',
    audit: 'It is in the audit trail, which your roles do not open.',
  },
  foundBy: foundByEn,
  columns: {
    type: 'Type',
    id: 'Id',
    status: 'State',
    amount: 'Amount',
    operation: 'Operation',
    foundBy: 'Found by',
    at: 'When',
  },
};

export const searchTexts = { 'pt-BR': ptBr, en };
