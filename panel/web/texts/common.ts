// Texts that several pages share: kinds, states, time, what is loading, missing or forbidden, why an act is not
// possible.
import type { WhyNot } from '../../../contract/panel/schemas/common.js';
import type { PersonalDecision } from '../../../contract/panel/schemas/common.js';
import type { DepositStatus } from '../../../domain/payments/deposit.js';
import type { WithdrawalStatus } from '../../../domain/payments/withdrawal.js';
import { counted } from './language.js';

const whyNotPt: Readonly<Record<WhyNot, string>> = {
  not_your_role: 'Seu papel não permite isto nesta operação.',
  other_state: 'O estado atual não permite isto.',
  approved_before: 'Você já aprovou; outra pessoa precisa aprovar.',
  refused_by_rules: 'As regras recusam este saque: só pode ser recusado.',
  not_judged: 'As regras ainda não avaliaram o pagamento.',
  amount_mismatch: 'O valor pago difere da cobrança, ou parte já foi devolvida: só pode ser devolvido.',
  return_under_way: 'A devolução já está em andamento.',
  send_has_left: 'O envio já pode ter saído.',
  not_lost: 'O pagamento não está perdido nem em processamento.',
  own_request: 'Você fez o pedido; outra pessoa precisa aprovar.',
  command_line_only: 'Só pela linha de comando: depende do cofre de chaves.',
  no_report: 'O teste dos últimos 30 dias ainda não existe.',
  report_broken: 'O teste guardado não confere com o seu hash: não aprove; calcule de novo.',
  about_you: 'O alerta é sobre você: outra pessoa cuida dele.',
  money_held: 'O pagamento do alerta ainda está a esclarecer: tire-o de lá em Dinheiro, e depois resolva o alerta.',
  open_too_short: 'O alerta de uma chave de acesso nova fica aberto por doze horas, para que todos o vejam.',
};

const whyNotEn: Readonly<Record<WhyNot, string>> = {
  not_your_role: 'Your role does not allow this in this operation.',
  other_state: 'Its state does not allow this now.',
  approved_before: 'You have approved already; another person must.',
  refused_by_rules: 'The rules refuse this withdrawal: it can only be refused.',
  not_judged: 'The rules have not judged the payment yet.',
  amount_mismatch: 'The amount paid differs from the charge, or a part went back: it can only be returned.',
  return_under_way: 'It is being returned already.',
  send_has_left: 'The payout may have left already.',
  not_lost: 'The payout is neither lost nor processing.',
  own_request: 'You asked for it; another person must approve it.',
  command_line_only: 'Only by the command line: it depends on the key vault.',
  no_report: 'The proof over 30 days is not there yet.',
  report_broken: 'The stored proof does not have its digest: do not approve it; compute it again.',
  about_you: 'The alert is about you: another person looks after it.',
  money_held: 'The payment of the alert still lies in suspense: take it out under Money, and then resolve the alert.',
  open_too_short: 'The alert of a new passkey stays open for twelve hours, so that everybody sees it.',
};

const decisionsPt: Readonly<Record<PersonalDecision, string>> = {
  approve: 'aprovou',
  refuse: 'recusou',
  return: 'devolveu',
  return_requested: 'pediu a devolução, que está em andamento',
  return_refused: 'pediu a devolução, e o provedor a recusou',
  return_withdrawn: 'deu por encerrada uma devolução que não saiu',
  reject: 'recusou',
  request_conclusion: 'pediu a baixa',
  confirm_conclusion: 'confirmou a baixa',
};

const decisionsEn: Readonly<Record<PersonalDecision, string>> = {
  approve: 'approved',
  refuse: 'refused',
  return: 'returned',
  return_requested: 'asked for the return, which is under way',
  return_refused: 'asked for the return, and the provider refused it',
  return_withdrawn: 'concluded a return that did not leave',
  reject: 'rejected',
  request_conclusion: 'asked for the write-off',
  confirm_conclusion: 'confirmed the write-off',
};

/** States of payments, of operations, and of everything else that the search finds. */
type ShownStatus =
  | DepositStatus
  | WithdrawalStatus
  | 'active'
  | 'suspended'
  | 'delivered'
  | 'not_delivered'
  | 'not_sent'
  | 'waiting'
  | 'open'
  | 'resolved'
  | 'pending_approval'
  | 'superseded'
  | 'used'
  | 'done'
  | 'fresh'
  | 'due'
  | 'overdue'
  | 'ending'
  | 'ended';

export const statusesPt: Readonly<Record<ShownStatus, string>> = {
  created: 'criado',
  pending: 'pendente',
  requested: 'solicitado',
  under_review: 'em revisão',
  approved: 'aprovado',
  processing: 'processando',
  paid: 'pago',
  rejected: 'recusado',
  failed: 'falhou',
  cancelled: 'cancelado',
  expired: 'expirado',
  returned: 'devolvido',
  refunded: 'reembolsado',
  chargeback: 'estornado (MED)',
  active: 'ativa',
  suspended: 'suspensa',
  delivered: 'entregue',
  not_delivered: 'não entregue',
  not_sent: 'não enviado',
  waiting: 'à espera',
  open: 'aberto',
  resolved: 'resolvido',
  pending_approval: 'espera aprovação',
  superseded: 'ultrapassada',
  used: 'usado',
  done: 'feito',
  fresh: 'em dia',
  due: 'trocar',
  overdue: 'atrasada',
  ending: 'vencendo',
  ended: 'encerrada',
};

const statusesEn: Readonly<Record<ShownStatus, string>> = {
  created: 'created',
  pending: 'pending',
  requested: 'requested',
  under_review: 'under review',
  approved: 'approved',
  processing: 'processing',
  paid: 'paid',
  rejected: 'refused',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
  returned: 'returned',
  refunded: 'refunded',
  chargeback: 'charged back (MED)',
  active: 'active',
  suspended: 'suspended',
  delivered: 'delivered',
  not_delivered: 'not delivered',
  not_sent: 'not sent',
  waiting: 'waiting',
  open: 'open',
  resolved: 'resolved',
  pending_approval: 'awaits approval',
  superseded: 'overtaken',
  used: 'used',
  done: 'done',
  fresh: 'fine',
  due: 'due',
  overdue: 'overdue',
  ending: 'ending',
  ended: 'ended',
};

const ptBr = {
  whyNot: whyNotPt,
  kinds: { deposit: 'Depósito', withdrawal: 'Saque' },
  statuses: statusesPt as Readonly<Record<string, string>>,
  decisions: decisionsPt,
  yes: 'sim',
  no: 'não',
  unknown: 'desconhecido',
  none: 'nenhum',
  noReason: 'sem motivo escrito',
  loading: 'Carregando…',
  sending: 'Enviando…',
  stale: 'Atualizando…',
  again: 'Tentar de novo',
  more: 'Mostrar mais',
  failed: 'Não foi possível carregar',
  unanswered: 'O painel não respondeu.',
  traceId: 'Código de rastreio',
  copy: 'Copiar',
  copied: 'Copiado',
  forbidden: 'Sem permissão',
  forbiddenText: 'Nenhum papel seu permite ver esta página.',
  missing: 'Não encontrado',
  missingText: 'Não existe ou você não tem acesso.',
  cancel: 'Voltar',
  all: 'Todos',
  allOperations: 'Todas as operações',
  operation: 'Operação',
  moreOperations: 'A lista mostra as primeiras 1.000 operações.',
  since: 'desde',
  at: 'em',
  ago: (text: string) => `há ${text}`,
  inFuture: (text: string) => `em ${text}`,
  now: 'agora',
  minutes: (n: number) => `${n} min`,
  hours: (n: number, minutes: number) => (minutes === 0 ? `${n} h` : `${n} h ${minutes} min`),
  days: (n: number) => counted(n, 'dia', 'dias'),
  seconds: (n: number) => `${n} s`,
  by: (person: string) => `por ${person}`,
  everywhere: 'todo o gateway',
  theirs: 'Texto de fora, não do gateway',
  words: 'Texto inteiro',
};

const en: typeof ptBr = {
  whyNot: whyNotEn,
  kinds: { deposit: 'Deposit', withdrawal: 'Withdrawal' },
  statuses: statusesEn,
  decisions: decisionsEn,
  yes: 'yes',
  no: 'no',
  unknown: 'unknown',
  none: 'none',
  noReason: 'no written reason',
  loading: 'Loading…',
  sending: 'Sending…',
  stale: 'Updating…',
  again: 'Try again',
  more: 'Show more',
  failed: 'Could not be loaded',
  unanswered: 'The panel did not answer.',
  traceId: 'Trace',
  copy: 'Copy',
  copied: 'Copied',
  forbidden: 'Not permitted',
  forbiddenText: 'No role of yours may see this page.',
  missing: 'Not found',
  missingText: 'It does not exist, or you have no access to it.',
  cancel: 'Back',
  all: 'All',
  allOperations: 'All operations',
  operation: 'Operation',
  moreOperations: 'The list has the first 1,000 operations.',
  since: 'since',
  at: 'at',
  ago: (text) => `${text} ago`,
  inFuture: (text) => `in ${text}`,
  now: 'now',
  minutes: (n) => `${n} min`,
  hours: (n, minutes) => (minutes === 0 ? `${n} h` : `${n} h ${minutes} min`),
  days: (n) => counted(n, 'day', 'days'),
  seconds: (n) => `${n} s`,
  by: (person) => `by ${person}`,
  everywhere: 'the whole gateway',
  theirs: 'A text from outside, not the gateway’s',
  words: 'The whole text',
};

export const commonTexts = { 'pt-BR': ptBr, en };
