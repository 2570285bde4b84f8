// Texts of the page of an operator's desk: questions about its payments, and its answers.
const ptBr = {
  title: 'Perguntas',
  note:
    'O que o gateway pergunta sobre pagamentos das suas operações. Cada pergunta se responde uma vez, e some daqui ' +
    'quando o pagamento é decidido.',
  open: 'Em aberto',
  none: 'Nenhuma pergunta em aberto.',
  more: 'Só as mais antigas aparecem: as outras vêm quando estas tiverem resposta.',
  paymentOf: (kind: string, amount: string) => `${kind} de ${amount}`,
  payment: 'Pagamento',
  externalId: 'Seu id',
  operation: 'Operação',
  asked: 'Perguntado em',
  question: 'Pergunta',
  answer: 'Responder…',
  answerTo: (externalId: string) => `Responder sobre ${externalId}`,
  answerText: 'Quem decide o caso lê a resposta, com o seu nome de entrada. Não há como mudá-la depois.',
  yourAnswer: 'Sua resposta',
  given: 'Resposta',
  send: 'Enviar a resposta',
  tooShort: 'Escreva pelo menos 3 letras.',
  sent: 'Resposta enviada.',
  answered: 'Respondidas há pouco',
  noneAnswered: 'Nenhuma resposta ainda.',
  answeredAt: 'Respondido em',
  by: 'Por',
  you: 'você',
  colleague: 'uma pessoa da sua operação',
};

const en: typeof ptBr = {
  title: 'Questions',
  note:
    'What the gateway asks about payments of your operations. Each question is answered once, and leaves this page when ' +
    'the payment is decided.',
  open: 'Open',
  none: 'No open question.',
  more: 'Only the oldest are shown: the others follow when these have an answer.',
  paymentOf: (kind, amount) => `${kind} of ${amount}`,
  payment: 'Payment',
  externalId: 'Your id',
  operation: 'Operation',
  asked: 'Asked at',
  question: 'Question',
  answer: 'Answer…',
  answerTo: (externalId) => `Answer about ${externalId}`,
  answerText: 'Who decides the case reads the answer, with the name you sign in with. It cannot be changed afterwards.',
  yourAnswer: 'Your answer',
  given: 'Answer',
  send: 'Send the answer',
  tooShort: 'Write at least 3 letters.',
  sent: 'The answer is sent.',
  answered: 'Answered lately',
  noneAnswered: 'No answer yet.',
  answeredAt: 'Answered at',
  by: 'By',
  you: 'you',
  colleague: 'somebody of your operation',
};

export const questionTexts = { 'pt-BR': ptBr, en };
