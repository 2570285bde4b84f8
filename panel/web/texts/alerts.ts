// Texts of alerts. The gateway says meaning and safe action in English; Portuguese has texts of its own.
import type { AlertPlace } from '../../../domain/alert-places.js';
import type { AlertKind } from '../../../domain/alerts.js';
import { namesEn, namesPt } from './alert-names.js';

interface AlertText {
  readonly meaning: string;
  readonly safeAction: string;
}

const meaningsPt: Readonly<Record<AlertKind, AlertText>> = {
  LATE_PAYMENT: {
    meaning: 'Um pagamento chegou para um depósito vencido, cancelado ou que falhou. O dinheiro está a esclarecer.',
    safeAction:
      'Devolva o pagamento em Dinheiro (ou com gateway suspense return): o provedor é consultado até concluir ou recusar. Não credite ' +
      'o jogador à mão.',
  },
  PAID_IN_TIME: {
    meaning:
      'O jogador pagou antes do vencimento, mas o provedor só informou depois. O depósito continua vencido. O ' +
      'dinheiro está a esclarecer e não foi creditado.',
    safeAction:
      'Fale com o operador agora. Se ele creditar o jogador, lance com gateway cash credit-suspense; se não, devolva ' +
      'o pagamento com gateway suspense return.',
  },
  EXPIRY_UNCONFIRMED: {
    meaning: 'O provedor não respondeu à última consulta antes do vencimento. O depósito pode ter sido pago no prazo.',
    safeAction:
      'Verifique o provedor. A consulta continua até a resposta; então o alerta termina. Se foi pago no prazo, ' +
      'aparece o alerta PAID_IN_TIME.',
  },
  EXTRA_PAYMENT: {
    meaning: 'Um segundo pagamento chegou para uma cobrança paga. O dinheiro está a esclarecer.',
    safeAction: 'Devolva o segundo pagamento em Dinheiro (ou com gateway suspense return).',
  },
  RECEIPT_UNALLOCATED: {
    meaning: 'A conta no provedor recebeu PIX que não pertencem a nenhum depósito. Nada é creditado por eles.',
    safeAction:
      'Veja-os com `gateway receipt list`; descubra quem pagou e devolva o dinheiro no provedor, ou acerte com o ' +
      'operador. Depois resolva o alerta.',
  },
  RECEIPT_UNSETTLED: {
    meaning: 'O provedor lista um pagamento que o depósito não mostra, meia hora depois de ter sido avisado.',
    safeAction: 'Consulte o depósito de novo e compare a cobrança com o painel do provedor.',
  },
  PAYOUT_UNALLOCATED: {
    meaning:
      'A lista de PIX enviados do provedor tem um que não pertence a nenhum saque, meia hora depois de achado. Ele ' +
      'saiu da conta fora do gateway.',
    safeAction:
      'Veja-o com `gateway payout list`; descubra quem o enviou. Se estava certo, lance com `gateway cash settle` e ' +
      'com o id como documento. Se ninguém o conhece, trate como invasão no provedor.',
  },
  DISPUTE_OPEN: {
    meaning: 'O banco do pagador pede um PIX de volta (MED), e ninguém respondeu ao caso no provedor.',
    safeAction:
      'Leia-o em Dinheiro ou com `gateway dispute list`; com o operador, responda no provedor antes do prazo. O ' +
      'depósito só muda se o dinheiro for devolvido.',
  },
  FUNDS_BLOCKED: {
    meaning:
      'Há dinheiro bloqueado na conta no provedor: pela justiça, por uma contestação ou por cautela de um banco.',
    safeAction:
      'Pergunte ao provedor até quando e por qual pagamento; `gateway provider balance` mostra a soma. Os jogadores ' +
      'não perdem nada com isso: ponha dinheiro se houver saques à espera. O alerta termina quando nada estiver bloqueado.',
  },
  DISPUTE_DUE: {
    meaning: 'Um pagamento contestado (MED) precisa de resposta em dois dias, ou o provedor decide sem ela.',
    safeAction: 'Responda ao caso no provedor agora; o alerta termina com a próxima leitura da lista.',
  },
  STATEMENT_DIFFERS: {
    meaning: 'Um dia do extrato de um provedor tem linhas que os livros não têm, ou os livros têm outras.',
    safeAction:
      'Leia as diferenças com `gateway statement differences`; assuma o alerta e verifique, para cada uma, qual lado ' +
      'está certo. Ele termina quando todas conferem, por um extrato ou lançamento posterior, ou quando duas pessoas ' +
      'as explicam (`gateway statement resolve`). Uma diferença nova do dia o levanta de novo.',
  },
  BALANCE_DIFFERS: {
    meaning:
      'Em duas comparações diárias, o saldo que o provedor informa de uma conta não foi o dos livros, nem com o que ' +
      'estava a caminho.',
    safeAction:
      'Importe os extratos desses dias: a causa comum é uma linha que falta aqui ou lá. Lance o que pessoas ' +
      'movimentaram (`gateway cash`). O alerta termina quando os dois conferem, ou quando duas pessoas explicam a ' +
      'diferença (`gateway statement resolve`).',
  },
  FEE_DIFFERS: {
    meaning: 'O provedor informa outra tarifa de um pagamento do que antes. O que foi lançado primeiro fica.',
    safeAction:
      'Compare com o extrato do provedor. Se a primeira estava errada, corrija o caixa com `gateway cash correct`.',
  },
  PAYMENT_CLAIMED_TWICE: {
    meaning: 'O provedor informa um pagamento para dois dos nossos. Vale para o primeiro; o segundo não é creditado.',
    safeAction:
      'Compare os dois com o extrato do provedor e pergunte por que ele informa o pagamento duas vezes. Se for do ' +
      'segundo, corrija o primeiro com o operador.',
  },
  PARTIAL_REVERSAL: {
    meaning: 'Parte de um pagamento voltou e saiu dos livros. O depósito não muda até voltar tudo.',
    safeAction: 'Avise o operador: a conciliação dele mostra a parte. Não lance nada à mão.',
  },
  REVERSAL_OUTSIDE_PAID: {
    meaning: 'Um pagamento tardio ou a mais, ou parte dele, voltou ao pagador e saiu do que está a esclarecer.',
    safeAction: 'Nada se lança à mão. Se ninguém o devolveu, descubra por que o provedor o fez.',
  },
  REVERSAL_ABOVE_PAYMENT: {
    meaning: 'O provedor informa devoluções de mais do que o pagamento. O estado do depósito não muda por isso.',
    safeAction: 'Pergunte ao provedor qual das devoluções moveu dinheiro e compare com o extrato.',
  },
  ANSWER_UNREADABLE: {
    meaning:
      'O provedor responde sobre um pagamento, e o campo indicado não pode ser lido ou contradiz o pedido. O que a ' +
      'resposta diz não se sabe. Ela é pedida de novo.',
    safeAction:
      'Consulte o pagamento no painel do provedor. Compare o campo com docs/providers.md e com a documentação do ' +
      'provedor: ela pode ter mudado. Informe; até ser corrigido, o pagamento não anda.',
  },
  CODE_OF_ANOTHER_CHARGE: {
    meaning:
      'O provedor respondeu uma cobrança com um código que pagaria outra cobrança, outra chave ou outro valor. O ' +
      'código não foi entregue; a cobrança é pedida de novo.',
    safeAction:
      'Pergunte já ao provedor de quem é o código. Até ser explicado, pause o provedor (`gateway provider pause`): ' +
      'outros códigos podem estar errados. O operador pode cancelar o depósito.',
  },
  PROVIDER_CLOCK_DIFFERS: {
    meaning:
      'Uma hora numa resposta do provedor está a mais de dois minutos do que o gateway sabe. O gateway usa a sua ' +
      'própria hora e o prazo combinado.',
    safeAction:
      'Pergunte ao provedor sobre o relógio; horas inteiras são hora local escrita como UTC. Até ser corrigido, as ' +
      'leituras da conta, que usam as horas do provedor, podem achar pagamentos com horas de atraso.',
  },
  PROVIDER_TOLD_TO_WAIT: {
    meaning:
      'O provedor não quer chamadas da conta por um minuto ou mais (`Retry-After`). Até lá não se faz nenhuma: ' +
      'cobranças, consultas e pagamentos esperam.',
    safeAction:
      'Pergunte o motivo e o limite; compare WORKER_PROVIDER_CALLS_PER_SECOND. Os pagamentos continuam sozinhos.',
  },
  CHARGE_UNANSWERED: {
    meaning: 'O provedor não responde de forma conclusiva ao pedido de cobrança há minutos.',
    safeAction: 'Nada no depósito: a chamada se repete com a mesma referência. Verifique o provedor.',
  },
  ENVIRONMENT_GUARD: {
    meaning:
      'Fora da produção, o provedor devolveu um PIX de nenhum ambiente de teste conhecido, ou em produção um de teste. ' +
      'Não foi entregue.',
    safeAction:
      'Verifique já o endereço e as credenciais do provedor neste ambiente: podem ser do outro. Para uma conta de ' +
      'teste, defina PROVIDER_<SLOT>_TEST_LOCATION_HOSTS; em produção, remova.',
  },
  RETURN_REFUSED: {
    meaning:
      'O provedor recusou devolver um pagamento. O depósito está em revisão de novo, ou o pagamento tardio ou extra ' +
      'continua a esclarecer.',
    safeAction: 'Leia o código, esclareça com o provedor e decida de novo.',
  },
  RETURN_CONTRADICTION: {
    meaning: 'O provedor informa uma devolução diferente de como foi encerrada: feita afinal, ou não realizada afinal.',
    safeAction:
      'Feita: nada falta lançar; se o jogador foi creditado, avise o operador. Não realizada: devolva o pagamento no ' +
      'painel do provedor; ou, se o operador fica com ele, lance com gateway cash correct (duas pessoas em produção).',
  },
  CASH_BOX_SHORT: {
    meaning: 'Um saque aprovado espera porque o caixa da operação está abaixo de zero.',
    safeAction:
      'Peça ao operador que envie dinheiro. Quando a conta o tiver, lance com gateway cash fund (duas ' +
      'pessoas em produção); o saque então continua na próxima verificação, em até 15 minutos.',
  },
  OPERATION_SUSPENDED: {
    meaning: 'Um saque aprovado espera porque a operação, ou o automático dela, está suspensa.',
    safeAction: 'Retome a operação ou o automático, ou cancele o saque.',
  },
  PROVIDER_PAUSED: {
    meaning: 'Um saque aprovado espera porque uma pessoa pausou o provedor dele. Nada foi enviado.',
    safeAction: 'Retome o provedor (`gateway provider resume SLOT`), ou cancele o saque.',
  },
  DISPATCH_CHECK_UNAVAILABLE: {
    meaning: 'As verificações antes do envio não puderam ser feitas: o motor de regras não responde.',
    safeAction: 'Restabeleça os workers de regras; os saques aprovados então continuam.',
  },
  PROVIDER_UNREACHABLE: {
    meaning: 'Um pagamento não pôde ser enviado: a conexão com o provedor falha. Nada foi enviado.',
    safeAction: 'Verifique a rede e o provedor; o primeiro envio se repete.',
  },
  PROVIDER_BALANCE_SHORT: {
    meaning: 'Um saque aprovado espera porque a conta no provedor não o cobre. Nada foi enviado.',
    safeAction: 'Ponha dinheiro na conta do provedor; o saque então continua. Ainda pode ser cancelado.',
  },
  PAYOUT_ENVIRONMENT_GUARD: {
    meaning: 'Um pagamento foi recusado antes do envio: a operação é de outro ambiente.',
    safeAction: 'Verifique o ambiente do worker e a operação; nada foi enviado.',
  },
  PAYOUT_OUTCOME_UNKNOWN: {
    meaning: 'Um pagamento foi enviado, e o resultado é desconhecido há dois minutos. É consultado até ser conclusivo.',
    safeAction:
      'Pergunte ao provedor pela referência. Nunca envie de novo à mão. Depois de um dia sem registro no provedor, e com ' +
      'declaração ' +
      'escrita do provedor, duas pessoas podem dar baixa.',
  },
  PAYOUT_PROCESSING: {
    meaning:
      'O provedor aceitou um pagamento e ainda o informa como em processamento: um alerta depois de uma hora, de um ' +
      'dia e de dez dias. O dinheiro continua reservado.',
    safeAction:
      'Pergunte ao provedor pela referência. Nunca envie de novo à mão. Um dia depois do envio, e com declaração ' +
      'escrita do provedor de que não pagou nem pagará, duas pessoas podem dar baixa.',
  },
  RETURN_UNFINISHED: {
    meaning:
      'Decidiu-se devolver um pagamento, e o provedor ainda não concluiu a devolução: um alerta depois de uma hora, ' +
      'de um dia e de dez dias. O depósito continua em revisão, ou o pagamento a esclarecer.',
    safeAction:
      'Pergunte ao provedor pela devolução; ponha dinheiro se a conta não cobre. Não devolva de outro modo: o pedido ' +
      'se repete com o mesmo id até ser concluído ou recusado.',
  },
  PAYOUT_CONTRADICTION: {
    meaning: 'O que o provedor informa contradiz o estado final do pagamento no gateway.',
    safeAction: 'Compare com o extrato do provedor; o gateway não muda nada.',
  },
  PARTIAL_PAYOUT_RETURN: {
    meaning: 'O banco que recebeu devolveu parte de um saque pago. Ela está no caixa; o saque continua pago.',
    safeAction: 'Avise o operador: a conciliação dele mostra a parte. Não lance nada à mão.',
  },
  WEBHOOK_EXHAUSTED: {
    meaning: 'Todas as tentativas de entregar um evento falharam em dois dias.',
    safeAction: 'Avise o operador; o evento continua disponível e pode ser entregue de novo.',
  },
  WEBHOOK_REFUSED: {
    meaning: 'O operador responde 401 aos webhooks: rejeita a assinatura ou o horário.',
    safeAction: 'Confira o segredo do webhook e os relógios com o operador. As entregas se repetem por dois dias.',
  },
  IP_NOT_ALLOWED: {
    meaning: 'Um pedido com assinatura válida veio de um endereço fora da lista da operação.',
    safeAction: 'Pergunte ao operador se o endereço é dele; se não for, revogue a chave.',
  },
  KEY_ROTATION_DUE: {
    meaning: 'Uma chave em uso tem 75 dias. Precisa ser trocada antes dos 90.',
    safeAction: 'Crie uma segunda chave para o operador; a antiga vence sete dias após o primeiro uso da nova.',
  },
  KEY_ROTATION_OVERDUE: {
    meaning: 'Uma chave em uso tem 90 dias e nenhuma sucessora em uso. Continua funcionando.',
    safeAction:
      'Troque a chave com o operador agora. Só revogue se outros puderem conhecê-la: isso para os pagamentos.',
  },
  WEBHOOK_SECRET_OVERDUE: {
    meaning: 'O segredo que assina os webhooks de uma operação tem 90 dias.',
    safeAction: 'Combine um horário com o operador e troque o segredo: os dois assinam por sete dias.',
  },
  DAY_NOT_FROZEN: {
    meaning: 'O fechamento da noite não congelou o dia de uma operação. Nada se perdeu.',
    safeAction: 'Leia a falha no processo do fechamento; depois feche o dia, ou espere a próxima noite.',
  },
  WORKFLOW_REOPENED: {
    meaning: 'Um pagamento aberto ou mudança de regras estava sem processo. A verificação de hora em hora o reabriu.',
    safeAction: 'Nada no pagamento: ele continua. Descubra quem encerrou o processo e por quê.',
  },
  WORKFLOW_FAILING: {
    meaning:
      'As tarefas de um processo falham sempre, derrubam o worker, ou nenhum worker as executa. O pagamento dele está ' +
      'parado.',
    safeAction:
      'Nada no pagamento: a verificação de hora em hora o reabre enquanto falhar. O alerta diz o motivo e o registro ' +
      'do worker tem o erro: instale uma versão que o corrija. Se o pagamento ainda não está gravado, nada aconteceu ' +
      'no provedor: encerre o processo no Temporal.',
  },
  WORKFLOW_IMPOSTOR: {
    meaning:
      'O processo de um pagamento aberto ou mudança de regras não era do gateway. Foi encerrado, e ele reaberto.',
    safeAction:
      'Trate como invasão do Temporal: descubra quem o alcança e troque as credenciais. Acredite na linha e no livro contábil, ' +
      'não no que a API disse do pagamento desde então.',
  },
  LEDGER_DIFFERS: {
    meaning: 'A verificação da noite encontrou um livro contábil que não fecha.',
    safeAction:
      'Rode a verificação do livro contábil e não mude linha alguma. Encontre a causa antes de pagar sobre estes saldos.',
  },
  ACCOUNT_OVERDRAWN: {
    meaning: 'Numa conta no provedor, o caixa da operação está abaixo de zero: o dinheiro de outras cobre a diferença.',
    safeAction:
      'Peça dinheiro ao operador para esta conta e registre a entrada, ou transfira o que está em outra conta.',
  },
  AUDIT_CHAIN_BROKEN: {
    meaning: 'A trilha de auditoria, os selos ou a exportação foram alterados.',
    safeAction: 'Rode a verificação da auditoria. Trate como invasão até haver explicação; guarde exportação e cópias.',
  },
  DECISION_NOT_REPRODUCED: {
    meaning: 'Uma decisão guardada não se repete a partir dos fatos e regras guardados.',
    safeAction: 'Compare a decisão: ou a linha foi alterada, ou o código decide diferente na mesma versão.',
  },
  ACT_NOT_SIGNED: {
    meaning: 'Um ato guardado como assinado não tem assinatura válida da pessoa.',
    safeAction:
      'Trate como invasão do painel ou do banco de dados. Suspenda a operação, pergunte à pessoa e veja na ' +
      'auditoria o que mais foi feito.',
  },
  UNPROVEN_ORDER: {
    meaning: 'Alguém que não é a api iniciou no Temporal o processo de um pagamento. Nada foi guardado nem enviado.',
    safeAction: 'Trate como invasão do Temporal: descubra quem o alcança e troque as credenciais.',
  },
  NOT_IN_THE_BOOKS: {
    meaning:
      'Um envio, cobrança ou devolução foi recusado antes de pedir ao provedor: os livros não o pedem. Falta a reserva ' +
      'ou a decisão, ou a linha diz outro valor, chave, documento ou pagamento. Nada foi enviado.',
    safeAction:
      'Trate como invasão de um processo ou do banco de dados: suspenda a operação, rode `gateway ledger verify` e ' +
      '`gateway audit verify` e descubra quem alterou a linha. Não corrija a linha à mão.',
  },
  STEP_FORGED: {
    meaning:
      'Alguém pediu no Temporal um passo que o gateway nunca pede: sobre um pagamento que não existe, com um ato que ' +
      'ninguém guardou, antes da hora ou com um resultado inventado. Nada foi feito.',
    safeAction:
      'Compare os relógios dos workers: um atraso de minutos também causa isto. Se estiverem certos, trate como ' +
      'invasão do Temporal: descubra quem o alcança e troque as credenciais.',
  },
  BREAK_GLASS: {
    meaning: 'Alguém abriu uma sessão de emergência: por uma hora decide pagamentos na linha de comando, sem assinar.',
    safeAction:
      'Cada administrador: confirme o chamado com a pessoa. Se não for dela, desative-a já (`gateway staff ' +
      'disable`). Leia o que ela fez (`gateway audit list`); depois outra pessoa resolve o alerta.',
  },
  LISTING_UNREADABLE: {
    meaning: 'O provedor lista um pagamento, envio ou contestação ilegível. Nenhum pagamento nosso foi avisado dele.',
    safeAction:
      'Procure-o no provedor pelo identificador do alerta, ou no extrato dessa hora. Lance com `gateway cash` o dinheiro ' +
      'que nenhum pagamento mostra e compare docs/providers.md com a documentação do provedor. Depois resolva o alerta.',
  },
  PASSKEY_ADDED: {
    meaning: 'Alguém tem uma chave de acesso nova. Quem a tem assina atos em nome dessa pessoa.',
    safeAction:
      'Cada administrador: pergunte à pessoa se a chave é dela. Se não for, remova já as chaves ' +
      '(`gateway staff forget-passkeys`), suspenda as operações e trate como invasão do painel. Se for, ' +
      'outra pessoa resolve o alerta, depois de doze horas aberto.',
  },
  ROLE_GRANTED: {
    meaning: 'Alguém tem um papel novo, que por um dia não decide nada com quem o deu.',
    safeAction: 'Pergunte à pessoa e a quem pediu. Se ninguém souber, desative-a já e trate como invasão.',
  },
  CALLBACK_FORGED: {
    meaning: 'Um aviso do provedor não passou na verificação e não foi aplicado.',
    safeAction: 'Confira com o provedor o segredo e a origem dos avisos.',
  },
  CALLBACK_UNREADABLE: {
    meaning: 'Um aviso verificado do provedor tem uma parte ilegível, ou de outra chave. O resto foi aplicado.',
    safeAction: 'Compare com o extrato e a documentação do provedor: ele pode ter mudado o que envia.',
  },
  CALLBACK_UNKNOWN_OBJECT: {
    meaning: 'Um aviso verificado do provedor nomeia algo que não existe no gateway.',
    safeAction: 'Compare com o extrato do provedor: pode ser de outro sistema na mesma conta.',
  },
};

const ptBr = {
  title: 'Alertas',
  names: namesPt as Readonly<Record<string, string>>,
  /** `null` to show the gateway's own text. */
  meanings: meaningsPt as Readonly<Record<string, AlertText>> | null,
  open: 'aberto',
  resolved: 'resolvido',
  show: 'Mostrar',
  shown: { no: 'Abertos', yes: 'Resolvidos' },
  meaning: 'O que significa',
  safeAction: 'O que é seguro fazer',
  assignedTo: (person: string) => `com ${person}`,
  take: 'Assumir',
  giveBack: 'Devolver à fila',
  resolve: 'Resolver',
  resolveTitle: 'Resolver o alerta',
  resolveText: 'Escreva o que foi feito. Fica guardado com o alerta.',
  condition: 'O gateway resolve este alerta sozinho quando a condição termina.',
  resolvedBy: (person: string) => `resolvido por ${person}`,
  resolvedItself: 'resolvido pelo gateway',
  recorded: 'Registro',
  /** Of another build, whose records this page does not know. */
  recordedInEnglish: 'Registro (em inglês)',
  /** To the act that the alert asks for. No name of a page of the menu: links are told apart by their names. */
  places: {
    case: 'Decidir este caso',
    payment: 'Agir sobre este depósito ou saque',
    suspense: 'O dinheiro a esclarecer, com as suas saídas',
    money: 'Ver disputas e extratos desta operação',
    webhooks: 'Ver as entregas desta operação',
    access: 'Ver chaves, segredos e paradas desta operação',
    staff: 'Ver as pessoas e os seus papéis',
    audit: 'Ver se a cadeia de registros está intacta',
  } satisfies Readonly<Record<AlertPlace, string>>,
  noPlace: 'O painel não tem um ato para isto: faz-se no provedor, na infraestrutura ou com o comando gateway.',
  othersPlace: 'O ato que isto pede fica em uma página que o seu papel não abre.',
  about: 'Sobre',
  none: 'Nenhum alerta aberto',
  noneText: 'Quando algo precisar de uma pessoa, aparece aqui.',
  noneResolved: 'Nenhum alerta resolvido',
};

const en: typeof ptBr = {
  title: 'Alerts',
  names: namesEn,
  meanings: null,
  open: 'open',
  resolved: 'resolved',
  show: 'Show',
  shown: { no: 'Open', yes: 'Resolved' },
  meaning: 'What it means',
  safeAction: 'What is safe to do',
  assignedTo: (person) => `with ${person}`,
  take: 'Take it',
  giveBack: 'Give it back',
  resolve: 'Resolve',
  resolveTitle: 'Resolve the alert',
  resolveText: 'Write what was done. It is stored with the alert.',
  condition: 'The gateway resolves this alert by itself when the condition ends.',
  resolvedBy: (person) => `resolved by ${person}`,
  resolvedItself: 'resolved by the gateway',
  recorded: 'Record',
  recordedInEnglish: 'Record (in English)',
  places: {
    case: 'Decide this case',
    payment: 'Act on this deposit or withdrawal',
    suspense: 'The money in suspense, with its exits',
    money: 'See disputes and statements of this operation',
    webhooks: 'See the deliveries of this operation',
    access: 'See keys, secrets and stops of this operation',
    staff: 'See people and their roles',
    audit: 'See whether the chain of entries is intact',
  },
  noPlace:
    'The panel has no act for this: it is done at the provider, by an administrator, or with the gateway command.',
  othersPlace: 'The act that this asks for is on a page that your role does not open.',
  about: 'About',
  none: 'No open alert',
  noneText: 'When something needs a person, it appears here.',
  noneResolved: 'No resolved alert',
};

export const alertTexts = { 'pt-BR': ptBr, en };
