// What alerts record of their cases, in Portuguese: the stored record is English, and the page says the same.
import type { ALERT_RECORDS, RecordWords } from '../../../domain/alert-records.js';
import { stagesPt } from './case.js';
import { statusesPt } from './common.js';
import { shellTexts } from './shell.js';

const DISPUTE = {
  due: 'provedor {provider}, caso {case}, a responder antes de {at}',
  without_term: 'provedor {provider}, caso {case}, sem prazo dado pelo provedor',
};

/** The same places as in English, except `fault`: a library's English words about a field. */
export const recordsPt: {
  readonly [Kind in keyof typeof ALERT_RECORDS]: {
    readonly [Name in keyof (typeof ALERT_RECORDS)[Kind]]: string;
  };
} = {
  LATE_PAYMENT: { paid: '{payment}: pago quando já estava {status}' },
  PAID_IN_TIME: { paid: '{payment}: pago em {at}, antes do vencimento' },
  EXPIRY_UNCONFIRMED: {
    unanswered: '{payment}: venceu, e o provedor ainda não disse se foi pago no prazo[ ({code})]',
  },
  EXTRA_PAYMENT: { paid: '{payment}: outro pagamento ({bankId}) quando já estava {status}' },
  RECEIPT_UNALLOCATED: { received: '{count} recebidos pelo provedor {provider} não são de nenhum depósito' },
  RECEIPT_UNSETTLED: { listed: 'o provedor {provider} lista um pagamento ({bankId}) que o depósito não mostra' },
  PAYOUT_UNALLOCATED: { listed: 'o provedor {provider} lista o envio {payout}, que não é de nenhum saque' },
  DISPUTE_OPEN: DISPUTE,
  DISPUTE_DUE: DISPUTE,
  FUNDS_BLOCKED: { blocked: 'provedor {provider}: {amount} não podem ser usados' },
  STATEMENT_DIFFERS: {
    differs: '{day}: {missingHere} faltam aqui, {missingThere} faltam no extrato, {differing} divergem',
  },
  BALANCE_DIFFERS: {
    differs:
      'provedor {provider}: a conta tinha {stated} e o livro contábil {booked} em {at}, e já divergiam no dia anterior',
  },
  FEE_DIFFERS: { differs: '{payment}: {feeOf}: tarifa de {reportedFee}, lançada {noted}' },
  PAYMENT_CLAIMED_TWICE: { claimed: '{payment}: o provedor informa o movimento {bankId}, que já é de {other}' },
  PARTIAL_REVERSAL: {
    part: '{payment}: {reversal} de uma parte',
    returned: '{payment}: voltaram {centavos} de {leftCentavos} centavos',
  },
  REVERSAL_OUTSIDE_PAID: {
    own: '{payment}: {reversal} quando estava {status}[; {recalledCentavos} centavos saíram de novo do caixa]',
    other: '{payment}: {reversal} de outro pagamento ({bankId})[; {recalledCentavos} centavos saíram de novo do caixa]',
  },
  REVERSAL_ABOVE_PAYMENT: {
    sum: '{payment}: devoluções de {centavos} centavos para um pagamento de {wholeCentavos}',
    ours: '{payment}: uma devolução de {centavos} centavos, quando restavam {leftCentavos}',
  },
  ANSWER_UNREADABLE: { field: '{payment}: provedor {provider}: {field} ({code})' },
  CODE_OF_ANOTHER_CHARGE: { code: '{payment}: provedor {provider}: {code}' },
  PROVIDER_CLOCK_DIFFERS: {
    answer: 'provedor {provider}: {timed} ({minutes} min {side} nosso relógio; {payment})',
    list: 'provedor {provider}: um item de uma lista ({minutes} min {side} nosso relógio)',
  },
  PROVIDER_TOLD_TO_WAIT: { wait: 'o provedor {provider} não quer chamadas por {seconds} s' },
  CHARGE_UNANSWERED: {
    unanswered: '{payment}: ainda sem resposta conclusiva ao pedido de cobrança[ ({code})]',
    lasting: '{payment}: sem resposta conclusiva ao pedido de cobrança há mais de {after}',
  },
  ENVIRONMENT_GUARD: { guarded: '{payment}: o PIX é de outro ambiente' },
  RETURN_REFUSED: { refused: '{payment}: o provedor recusou a devolução ({code})' },
  RETURN_CONTRADICTION: {
    done: '{payment}: uma devolução dada por encerrada foi feita, quando estava {status}',
    not_done: '{payment}: o provedor não fez a devolução que pessoas concluíram como feita',
    amount: '{payment}: uma devolução já lançada agora é informada com {centavos} centavos',
  },
  CASH_BOX_SHORT: { short: '{payment}: o caixa não cobre[ ({code})]' },
  OPERATION_SUSPENDED: {
    suspended: '{payment}: a operação, ou o que ela decide automaticamente, está parada[ ({code})]',
  },
  PROVIDER_PAUSED: { paused: '{payment}: uma pessoa pausou o provedor[ ({code})]' },
  DISPATCH_CHECK_UNAVAILABLE: {
    unavailable: '{payment}: as verificações antes do envio não podem ser feitas[ ({code})]',
  },
  PROVIDER_UNREACHABLE: { unsent: '{payment}: nada foi enviado[ ({code})]' },
  PROVIDER_BALANCE_SHORT: { short: '{payment}: a conta no provedor não cobre[ ({code})]' },
  PAYOUT_ENVIRONMENT_GUARD: { guarded: '{payment}: a operação é de outro ambiente[ ({code})]' },
  PAYOUT_OUTCOME_UNKNOWN: {
    traceless: '{payment}: o provedor ainda não mostra sinal dele[ ({code})]',
    unanswered: '{payment}: o provedor não responde a consultas[ ({code})]',
    lasting: '{payment}: não se sabe o resultado do envio há mais de {after}',
  },
  PAYOUT_PROCESSING: { lasting: '{payment}: o provedor informa que está em processamento há mais de {after}' },
  RETURN_UNFINISHED: { lasting: '{payment}: a devolução não se conclui há mais de {after}' },
  PAYOUT_CONTRADICTION: {
    listed: 'o provedor {provider} lista o envio {payout}, que este saque não mostra',
    reported: '{payment}: o provedor informa {reported} quando está {status}',
    returns: '{payment}: o provedor informa devoluções de {sum}, das quais {booked} lançadas, quando está {status}',
  },
  PARTIAL_PAYOUT_RETURN: { returned: '{payment}: o banco que recebeu devolveu uma parte: {amount}' },
  WEBHOOK_EXHAUSTED: { exhausted: 'evento {event}: todas as tentativas falharam' },
  WEBHOOK_REFUSED: { refused: 'o operador respondeu 401, primeiro ao evento {event}' },
  IP_NOT_ALLOWED: {
    refused: 'Uma chamada com assinatura válida desta chave veio de {ip}, fora das redes permitidas.',
  },
  KEY_ROTATION_DUE: { due: 'a chave de chamadas tem {days} dias; troque antes de {limitDays}' },
  KEY_ROTATION_OVERDUE: { overdue: 'a chave de chamadas tem {days} dias e ainda é a única em uso' },
  WEBHOOK_SECRET_OVERDUE: { overdue: 'o segredo de webhook tem {days} dias' },
  DAY_NOT_FROZEN: { open: '{currency} até {day}: não foi possível fechar' },
  WORKFLOW_REOPENED: {
    missing: '{object} ({was}): não tinha processo; começou um novo',
    impostor: '{object} ({was}): tinha um processo que não é do gateway ({impostor}); começou um novo',
    stuck: '{object} ({was}): o processo não avançava ({count} tarefas com falha); começou um novo',
  },
  WORKFLOW_FAILING: {
    history: 'o processo {workflow} não avança: o código não combina com o histórico',
    endless: 'o processo {workflow} não avança: o código não devolve o controle',
    error: 'o processo {workflow} não avança: o código falha: {error}[ em {where}][ ({file})]',
    tried:
      'o processo ({objectSeen}) não avança: a tarefa foi tentada {count} vezes; ela falha ou derruba quem a executa',
    untaken: 'o processo ({objectSeen}) não avança: ninguém executa a tarefa desde {since}',
  },
  LEDGER_DIFFERS: { differs: '{count} divergências, a primeira em {subject}: {difference}' },
  ACCOUNT_OVERDRAWN: { overdrawn: 'o caixa está abaixo de zero em {accounts}' },
  LISTING_UNREADABLE: { unread: 'o provedor {provider} lista algo ilegível: {name}' },
  CALLBACK_FORGED: { forged: 'provedor {provider}: {forgery}' },
  CALLBACK_UNREADABLE: { unread: 'provedor {provider}: {count} de um lote não puderam ser lidos ({field})' },
  CALLBACK_UNKNOWN_OBJECT: {
    payment: 'o provedor {provider} avisou de um pagamento que não existe aqui',
    named: 'o provedor {provider} avisou de {named} que não existe aqui',
  },
  WORKFLOW_IMPOSTOR: {
    ended: 'tinha um processo que não é do gateway ({impostor}); foi encerrado, e vale o que está no banco de dados',
  },
  AUDIT_CHAIN_BROKEN: { broken: '{count} problemas, o primeiro no registro {entry}[ (selo {seal})]: {problem}' },
  DECISION_NOT_REPRODUCED: {
    differs: 'a decisão {stage} não se repete com os fatos e as regras guardados',
  },
  ACT_NOT_SIGNED: {
    stored: 'a assinatura de {act} não confere',
    asked: 'foi pedido {act} em {subject}: a assinatura não confere. Nada foi feito.',
  },
  UNPROVEN_ORDER: {
    ordered: '{ordered} veio de quem não é a API do gateway: {payment}, operação {operation}',
    invented: 'um processo começou para um pagamento que não existe: {payment}, operação {operation}',
    copied: '{ordered}, já recusado, veio outra vez de quem não é a API do gateway: {payment}, operação {operation}',
  },
  NOT_IN_THE_BOOKS: { refused: '{payment}: sem permissão para {asked} ({refusal})' },
  STEP_FORGED: {
    called: '{step} foi chamado {forgedHow}: {payment}, operação {operation}',
    by_hand: '{step} foi chamado à mão: {byHand}: {payment}, operação {operation}',
  },
  BREAK_GLASS: { begun: '{person} abriu uma sessão de emergência, chamado {ticket}' },
  ROLE_GRANTED: { granted: '{person} agora é {role}, por {grantedBy}' },
  PASSKEY_ADDED: { added: '{person} tem uma nova chave de acesso' },
};

/** Words that stand in the places of records, by place. */
export const wordsPt: {
  readonly [Place in keyof RecordWords]: Readonly<Record<RecordWords[Place], string>>;
} = {
  status: statusesPt,
  reported: statusesPt,
  reversal: { refund: 'reembolso', chargeback: 'estorno (MED)' },
  asked: { payout: 'o envio', charge: 'a cobrança', return: 'a devolução' },
  refusal: {
    other_amount: 'o valor no banco de dados é outro',
    other_destination: 'a chave PIX no banco de dados é outra',
    other_document: 'o documento no banco de dados é outro',
    other_payment: 'dois depósitos dizem ter o mesmo pagamento',
    not_in_ledger: 'o livro contábil não tem o dinheiro',
    not_decided: 'nem as regras nem pessoas bastantes decidiram',
  },
  problem: {
    hash_differs: 'o conteúdo foi alterado',
    chain_broken: 'não se segue ao anterior',
    entry_missing: 'foi removido',
    anchor_missing: 'o hash anotado não está na auditoria: foi reescrita',
    sealed_entry_differs: 'não é o que foi selado: foi alterado, e a cadeia calculada de novo',
    sealed_entry_missing: 'tinha selo e sumiu: cortado no fim',
    seal_missing: 'o selo sumiu do banco de dados',
    seal_forged: 'o selo não foi feito com uma chave nossa',
    seal_chain_broken: 'o selo não se segue ao anterior',
    export_missing: 'o selo sumiu da exportação: esvaziada, ou trocada por uma antiga',
    export_differs: 'a exportação tem outro selo com este número',
    not_sealed: 'espera o selo há tempo demais: nada está selando',
  },
  difference: {
    transfer_not_balanced: 'os lançamentos de uma transferência não somam zero',
    balance_differs: 'o saldo da conta não é a soma dos lançamentos',
    reservation_differs: 'o reservado para um saque não é o que o estado diz',
    held_deposit_differs: 'o retido de um depósito não é o que o estado diz',
    bank_movement_differs: 'um movimento no provedor não é o que o livro contábil tem',
    suspense_differs: 'um pagamento a esclarecer não bate com movimentos, livro contábil e depósito',
    cash_box_differs: 'o que entrou no caixa ou saiu dele não é o que está registrado',
  },
  named: { charge: 'uma cobrança', payout: 'um envio' },
  ordered: { deposit: 'um depósito', withdrawal: 'um saque' },
  object: { deposit: 'depósito', withdrawal: 'saque', 'rule change': 'mudança de regras' },
  objectSeen: {
    deposit: 'depósito',
    withdrawal: 'saque',
    'rule change': 'mudança de regras',
    'deposit, which is not stored yet,': 'depósito que ainda não foi guardado',
    'withdrawal, which is not stored yet,': 'saque que ainda não foi guardado',
  },
  after: { 'an hour': 'uma hora', 'a day': 'um dia', 'ten days': 'dez dias' },
  timed: {
    'a payment': 'um pagamento',
    'a payout': 'um envio',
    'the creation of a charge': 'a criação de uma cobrança',
  },
  side: { 'ahead of': 'à frente do', behind: 'atrás do' },
  stage: stagesPt,
  role: shellTexts['pt-BR'].roles,
  forgery: {
    'chave is not our key': 'a chave não é a nossa',
    'the header authorization is not the one of our webhook': 'o cabeçalho authorization não é o do nosso webhook',
    'the header x-webhook-signature does not prove the sender':
      'o cabeçalho x-webhook-signature não comprova o remetente',
    'the header of the secret does not prove the sender': 'o cabeçalho do segredo não comprova o remetente',
    'the header of the signature does not prove the sender': 'o cabeçalho da assinatura não comprova o remetente',
    'neither a verified certificate nor the secret in the address proves the sender':
      'nem um certificado verificado nem o segredo no endereço comprovam o remetente',
  },
  forgedHow: {
    'for a deposit that does not exist': 'para um depósito que não existe',
    'for a withdrawal that does not exist': 'para um saque que não existe',
    'for a change of rules that does not exist': 'para uma mudança de regras que não existe',
    'before its time, or by clocks that differ': 'antes da hora, ou por relógios que divergem',
    'with an act that nobody stored': 'com um ato que ninguém guardou',
  },
  byHand: {
    'for an event that does not exist': 'para um evento que não existe',
    'with a progress that no step wrote': 'com um progresso que nenhum passo escreveu',
    'with a condition that is none of ours': 'com uma condição que não é nossa',
    'only in the sandbox a deposit expires before its time': 'só na sandbox um depósito vence antes da hora',
  },
};
