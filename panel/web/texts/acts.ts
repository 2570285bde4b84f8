// What people did about a payment, in words: the actions of the audit trail that are about one payment.
import type { CaseAct } from '../../../domain/case-work.js';
import type { DepositAct } from '../../../domain/payments/deposit-record.js';
import type { WriteOffAct } from '../../../domain/payments/write-off.js';

/** Verbs of the audit trail. An action without words is shown as its code. */
type ActionName =
  | `deposit.${Exclude<DepositAct['decision'], 'refuse'>}`
  | `withdrawal.${'approve' | 'refuse' | 'cancel' | WriteOffAct['decision']}`
  | `payment.${'look_up' | 'reveal'}`
  | 'payment.look_up_refused'
  | `event.${'redeliver'}`
  | `case.${CaseAct | 'download'}`
  | `${'suspense.return' | 'return.conclude'}_request`
  | `request.${'approve' | 'reject'}`;

const actionsPt: Readonly<Record<ActionName, string>> = {
  'deposit.approve': 'aprovou o depósito',
  'deposit.return_requested': 'pediu a devolução',
  'deposit.return': 'devolveu o depósito',
  'deposit.return_refused': 'recusou a devolução',
  'deposit.return_withdrawn': 'deu por encerrada uma devolução que não saiu',
  'deposit.item_returned': 'devolveu um pagamento a esclarecer',
  'deposit.cancel': 'cancelou o depósito',
  'withdrawal.approve': 'aprovou o saque',
  'withdrawal.refuse': 'recusou o saque',
  'withdrawal.cancel': 'cancelou o saque',
  'withdrawal.request_conclusion': 'pediu a baixa',
  'withdrawal.confirm_conclusion': 'confirmou a baixa',
  'payment.look_up': 'consultou o provedor',
  'payment.look_up_refused': 'consultou o provedor, e não foi possível',
  'payment.reveal': 'revelou um dado',
  'event.redeliver': 'mandou entregar de novo um evento',
  'case.note': 'anotou',
  'case.assign': 'passou o caso para',
  'case.give_back': 'devolveu o caso à fila',
  'case.snooze': 'adiou o caso',
  'case.wake': 'trouxe o caso de volta',
  'case.escalate': 'escalou o caso',
  'case.deescalate': 'encerrou o escalonamento',
  'case.flag': 'marcou a própria decisão como engano',
  'case.ask': 'perguntou ao operador',
  'case.answer': 'respondeu, ou anotou a resposta do operador',
  'case.download': 'exportou o caso',
  'suspense.return_request': 'pediu a devolução de um pagamento a esclarecer',
  'return.conclude_request': 'pediu para dar por encerrada a devolução',
  'request.approve': 'aprovou o pedido, como segunda pessoa',
  'request.reject': 'recusou o pedido',
};

const actionsEn: Readonly<Record<ActionName, string>> = {
  'deposit.approve': 'approved the deposit',
  'deposit.return_requested': 'asked for the return',
  'deposit.return': 'returned the deposit',
  'deposit.return_refused': 'refused the return',
  'deposit.return_withdrawn': 'concluded a return that did not leave',
  'deposit.item_returned': 'returned a payment out of suspense',
  'deposit.cancel': 'cancelled the deposit',
  'withdrawal.approve': 'approved the withdrawal',
  'withdrawal.refuse': 'refused the withdrawal',
  'withdrawal.cancel': 'cancelled the withdrawal',
  'withdrawal.request_conclusion': 'asked for the write-off',
  'withdrawal.confirm_conclusion': 'confirmed the write-off',
  'payment.look_up': 'looked it up at the provider',
  'payment.look_up_refused': 'looked it up at the provider, which was not possible',
  'payment.reveal': 'revealed a field',
  'event.redeliver': 'had an event delivered again',
  'case.note': 'noted',
  'case.assign': 'gave the case to',
  'case.give_back': 'gave the case back to the queue',
  'case.snooze': 'let the case wait',
  'case.wake': 'took the case back from waiting',
  'case.escalate': 'escalated the case',
  'case.deescalate': 'ended the escalation',
  'case.flag': 'flagged their own decision as a mistake',
  'case.ask': 'asked the operator',
  'case.answer': 'answered, or noted the operator’s answer',
  'case.download': 'exported the case',
  'suspense.return_request': 'asked to return a payment out of suspense',
  'return.conclude_request': 'asked to conclude the return',
  'request.approve': 'approved the request, as the second person',
  'request.reject': 'rejected the request',
};

const ptBr = {
  person: 'Pessoa',
  provider: 'Provedor',
  actions: actionsPt as Readonly<Record<string, string>>,
  requestedBy: (person: string) => `pedida por ${person}`,
};

const en: typeof ptBr = {
  person: 'Person',
  provider: 'Provider',
  actions: actionsEn,
  requestedBy: (person) => `asked for by ${person}`,
};

export const actTexts = { 'pt-BR': ptBr, en };
