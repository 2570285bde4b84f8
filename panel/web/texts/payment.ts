// Texts of a payment's page: what it waits for, what moved, what may safely be done.
import type { WaitingFor } from '../../../contract/temporal/waits.js';
import type { LedgerAccount, LedgerMovement } from '../../../domain/ledger.js';
import { counted } from './language.js';

const waitsPt: Readonly<Record<WaitingFor, string>> = {
  nothing: 'Nada: terminou, ou ninguém precisa agir.',
  provider_charge: 'A criação da cobrança no provedor.',
  payment: 'O pagamento do jogador, ou o vencimento.',
  key_owner: 'O DICT dizer quem é o titular da chave.',
  review: 'A decisão de uma pessoa.',
  return_to_payer: 'A devolução pelo provedor.',
  automatic_hours: 'O horário automático das regras.',
  cash_box: 'O caixa da operação, que está abaixo de zero.',
  provider_balance: 'A conta no provedor, que não o cobre.',
  provider_paused: 'O provedor, que uma pessoa pausou.',
  dispatch_check: 'As verificações antes do envio.',
  payout_reply: 'A resposta do provedor ao envio. É consultado até o resultado ser conhecido; nunca envie à mão.',
  payout_result: 'O provedor terminar o pagamento.',
  webhook_delivery: 'A entrega de um evento ao operador.',
  rule_change_proof: 'A prova da mudança de regras.',
  approval: 'A aprovação de duas pessoas.',
};

const waitsEn: Readonly<Record<WaitingFor, string>> = {
  nothing: 'Nothing: it is over, or nobody has to act.',
  provider_charge: 'The provider creating the charge.',
  payment: 'The player paying, or the expiry.',
  key_owner: 'The directory naming the holder of the key.',
  review: 'The decision of a person.',
  return_to_payer: 'The provider returning it.',
  automatic_hours: 'The automatic hours of the rules.',
  cash_box: 'The operation’s cash box, which is below zero.',
  provider_balance: 'The account at the provider, which does not cover it.',
  provider_paused: 'The provider, which a person has paused.',
  dispatch_check: 'The checks before the send.',
  payout_reply: 'The provider’s reply to the send. It is looked up until the outcome is known; never send it by hand.',
  payout_result: 'The provider finishing the payout.',
  webhook_delivery: 'The delivery of an event to the operator.',
  rule_change_proof: 'The proof of the change of rules.',
  approval: 'The approval of two people.',
};

/** As Temporal names them. */
type WorkflowStatus =
  | 'running'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'terminated'
  | 'continued_as_new'
  | 'timed_out'
  | 'paused'
  | 'unspecified'
  | 'unknown';

const workflowStatusesPt: Readonly<Record<WorkflowStatus, string>> = {
  running: 'processo em execução',
  completed: 'processo concluído',
  failed: 'processo falhou',
  cancelled: 'processo cancelado',
  terminated: 'processo encerrado à força',
  continued_as_new: 'processo continua em outra execução',
  timed_out: 'processo passou do prazo',
  paused: 'processo pausado',
  unspecified: 'estado do processo desconhecido',
  unknown: 'estado do processo desconhecido',
};

const workflowStatusesEn: Readonly<Record<WorkflowStatus, string>> = {
  running: 'process running',
  completed: 'process completed',
  failed: 'process failed',
  cancelled: 'process cancelled',
  terminated: 'process terminated',
  continued_as_new: 'process goes on in another run',
  timed_out: 'process timed out',
  paused: 'process paused',
  unspecified: 'state of the process not known',
  unknown: 'state of the process not known',
};

const accountsPt: Readonly<Record<LedgerAccount, string>> = {
  available: 'Caixa disponível',
  pending_in: 'A creditar',
  pending_out: 'Reservado para saques',
  suspense: 'Suspenso',
  provider_clearing: 'No provedor',
};

const accountsEn: Readonly<Record<LedgerAccount, string>> = {
  available: 'Available cash box',
  pending_in: 'Not credited yet',
  pending_out: 'Reserved for withdrawals',
  suspense: 'Suspense',
  provider_clearing: 'At the provider',
};

const movementsPt: Readonly<Record<LedgerMovement, string>> = {
  deposit_credited: 'Depósito creditado',
  deposit_held: 'Depósito retido',
  deposit_released: 'Depósito liberado',
  deposit_returned: 'Depósito devolvido',
  deposit_refunded: 'Depósito reembolsado',
  deposit_charged_back: 'Depósito estornado',
  late_payment_received: 'Pagamento tardio recebido',
  withdrawal_reserved: 'Saque reservado',
  withdrawal_released: 'Reserva liberada',
  withdrawal_paid: 'Saque pago',
  withdrawal_returned: 'Saque devolvido',
  fee_with_payment: 'Tarifa do provedor',
  fee_apart: 'Tarifa do provedor, informada depois',
  cash_box_funded: 'Caixa abastecido',
  cash_box_settled: 'Repassado ao operador',
  suspense_returned: 'Suspenso devolvido',
  suspense_credited: 'Suspenso levado ao caixa',
  cash_box_corrected_up: 'Caixa corrigido para mais',
  cash_box_corrected_down: 'Caixa corrigido para menos',
};

const movementsEn: Readonly<Record<LedgerMovement, string>> = {
  deposit_credited: 'Deposit credited',
  deposit_held: 'Deposit held',
  deposit_released: 'Deposit released',
  deposit_returned: 'Deposit returned',
  deposit_refunded: 'Deposit refunded',
  deposit_charged_back: 'Deposit charged back',
  late_payment_received: 'Late payment received',
  withdrawal_reserved: 'Withdrawal reserved',
  withdrawal_released: 'Reservation released',
  withdrawal_paid: 'Withdrawal paid',
  withdrawal_returned: 'Withdrawal returned',
  fee_with_payment: 'Provider’s fee',
  fee_apart: 'Provider’s fee, charged separately',
  cash_box_funded: 'Cash box funded',
  cash_box_settled: 'Settled to the operator',
  suspense_returned: 'Suspense returned',
  suspense_credited: 'Suspense credited to the cash box',
  cash_box_corrected_up: 'Cash box corrected up',
  cash_box_corrected_down: 'Cash box corrected down',
};

const ptBr = {
  toCase: 'Abrir o caso',
  waits: 'Espera por',
  waitNames: waitsPt,
  says: 'O processo diz (em inglês)',
  workflowStatuses: workflowStatusesPt as Readonly<Record<string, string>>,
  nextAt: 'Próxima tentativa',
  lastError: 'Último erro',
  attempts: (n: number) => counted(n, 'tentativa', 'tentativas'),
  saidBy: { workflow: 'dito pelo próprio processo', database: 'pelo banco: o processo não respondeu ou terminou' },
  temporal: 'Abrir no Temporal',
  facts: 'Dados',
  externalId: 'Id do operador',
  playerRef: 'Jogador',
  provider: 'Provedor',
  contract: 'Respostas lidas conforme',
  trace: 'Código de rastreio das chamadas',
  providerReference: 'Referência no provedor',
  endToEndId: 'End-to-end id',
  paid: 'Valor pago',
  paidAt: 'Pago em',
  fee: 'Tarifa',
  expires: 'Vence',
  sent: 'Envio permitido',
  notSent: 'nada saiu',
  failure: 'Código da falha',
  updated: 'Atualizado',
  timeline: 'Linha do tempo',
  version: (n: number) => `versão ${n}`,
  delivered: 'entregue',
  notDelivered: 'não entregue',
  noDelivery: 'nenhuma entrega tentada',
  attempt: (n: number) => `${n}ª tentativa`,
  again: 'próxima',
  milliseconds: (n: number) => `${n}\u00a0ms`,
  ledger: 'Razão',
  noLedger: 'Nenhum dinheiro se moveu.',
  sumsToZero: 'soma zero',
  doesNotSum: 'NÃO soma zero',
  accounts: accountsPt as Readonly<Record<string, string>>,
  movements: movementsPt as Readonly<Record<string, string>>,
  replay: {
    title: 'Sob outra versão das regras',
    text: 'Avalia de novo os fatos guardados de cada decisão. Nada muda no pagamento.',
    version: 'Versão das regras',
    choose: 'Escolha uma versão',
    inForce: (version: string) => `${version} (em vigor)`,
    decidedBy: (rules: string) => `decidida por ${rules}`,
    differs: 'seria diferente',
    same: 'seria igual',
    nothingHit: 'Nenhuma regra se aplicaria.',
  },
  alerts: 'Alertas',
  decided: 'Decisões de pessoas',
  writeOffs: 'Baixa de pagamento perdido',
  evidence: 'Evidência',
  acts: 'Atos seguros',
  actNames: {
    look_up: 'Consultar de novo no provedor',
    redeliver: 'Entregar de novo',
    cancel: 'Cancelar',
    write_off: 'Dar baixa como perdido',
  },
  actEffects: {
    look_up: 'Pergunta ao provedor o que aconteceu. Não cria nem envia nada.',
    cancel: 'O pagamento termina aqui. Nada é enviado, e o que estava reservado volta para o caixa.',
    write_off:
      'Só com declaração do provedor de que nunca aceitou o pagamento, ou de que não o pagou nem pagará. Duas ' +
      'pessoas precisam pedir.',
  },
  redeliver: 'Entregar de novo',
  evidenceHint: 'Onde o provedor declara que nunca aceitou o pagamento',
  outcomes: {
    done: 'Feito.',
    requested: 'Pedido anotado: outra pessoa precisa confirmar.',
    under_way: 'Em andamento.',
  },
  unknown: 'A resposta se perdeu: o ato pode ter sido feito. Veja a página antes de repetir.',
  seen: 'Vi como está',
  send: 'Confirmar',
  never: 'Não existe “marcar como pago”: só o provedor diz que um pagamento foi pago.',
};

const en: typeof ptBr = {
  toCase: 'Open the case',
  waits: 'Waits for',
  waitNames: waitsEn,
  says: 'The process says',
  workflowStatuses: workflowStatusesEn,
  nextAt: 'Next attempt',
  lastError: 'Last error',
  attempts: (n) => counted(n, 'attempt', 'attempts'),
  saidBy: {
    workflow: 'said by the process itself',
    database: 'by the database: the process did not answer, or has ended',
  },
  temporal: 'Open in Temporal',
  facts: 'Facts',
  externalId: 'Operator’s id',
  playerRef: 'Player',
  provider: 'Provider',
  contract: 'Answers read by',
  trace: 'Trace of the calls',
  providerReference: 'Reference at the provider',
  endToEndId: 'End-to-end id',
  paid: 'Amount paid',
  paidAt: 'Paid at',
  fee: 'Fee',
  expires: 'Expires',
  sent: 'Send permitted',
  notSent: 'nothing has left',
  failure: 'Failure code',
  updated: 'Updated',
  timeline: 'Timeline',
  version: (n) => `version ${n}`,
  delivered: 'delivered',
  notDelivered: 'not delivered',
  noDelivery: 'no delivery was tried',
  attempt: (n) => `attempt ${n}`,
  again: 'next',
  milliseconds: (n) => `${n}\u00a0ms`,
  ledger: 'Ledger',
  noLedger: 'No money has moved.',
  sumsToZero: 'sums to zero',
  doesNotSum: 'does NOT sum to zero',
  accounts: accountsEn,
  movements: movementsEn,
  replay: {
    title: 'Under another version of the rules',
    text: 'Evaluates the stored facts of each decision again. Nothing changes in the payment.',
    version: 'Version of the rules',
    choose: 'Choose a version',
    inForce: (version) => `${version} (in force)`,
    decidedBy: (rules) => `decided by ${rules}`,
    differs: 'would be different',
    same: 'would be the same',
    nothingHit: 'No rule would match.',
  },
  alerts: 'Alerts',
  decided: 'Decisions of people',
  writeOffs: 'Write-off of a lost payout',
  evidence: 'Evidence',
  acts: 'Safe acts',
  actNames: {
    look_up: 'Look up again at the provider',
    redeliver: 'Deliver again',
    cancel: 'Cancel',
    write_off: 'Write off as lost',
  },
  actEffects: {
    look_up: 'Asks the provider what happened. It creates and sends nothing.',
    cancel: 'The payment ends here. Nothing is sent, and what was reserved returns to the cash box.',
    write_off:
      'Only with a statement of the provider that it never accepted the payout, or that it did not pay and never ' +
      'will. Two people must ask for it.',
  },
  redeliver: 'Deliver again',
  evidenceHint: 'Where the provider states that it never accepted the payout',
  outcomes: { done: 'Done.', requested: 'Noted: another person must confirm it.', under_way: 'Under way.' },
  unknown: 'The answer was lost: the act may have been done. Look at the page before you repeat it.',
  seen: 'I have seen how it is',
  send: 'Confirm',
  never: 'There is no “mark as paid”: only the provider says that a payment was paid.',
};

export const paymentTexts = { 'pt-BR': ptBr, en };
