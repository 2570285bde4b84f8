// What the codes of banks mean to a desk: the ISO 20022 reasons that PIX uses for refusals and returns. One row for
// each code, in both languages.
/** What it means, in the languages of the panel. */
interface BankCode {
  readonly 'pt-BR': string;
  readonly en: string;
}

const row = (ptBr: string, en: string): BankCode => ({ 'pt-BR': ptBr, en });

export const BANK_CODES: Readonly<Record<string, BankCode>> = {
  AB03: row('O tempo para liquidar acabou.', 'The time to settle it ran out.'),
  AB09: row('Houve um erro no banco de quem recebe.', 'The receiving bank had an error.'),
  AB10: row('Houve um erro no banco de quem paga.', 'The paying bank had an error.'),
  AB11: row('O banco de quem paga demorou demais.', 'The paying bank took too long.'),
  AC03: row('A agência ou a conta de quem recebe não existe.', 'The receiving branch or account does not exist.'),
  AC06: row('A conta de quem recebe está bloqueada.', 'The receiving account is blocked.'),
  AC07: row('A conta de quem recebe foi encerrada.', 'The receiving account is closed.'),
  AC14: row('O tipo da conta de quem recebe não aceita PIX.', 'The type of the receiving account takes no PIX.'),
  AG03: row('Quem recebe não aceita este tipo de pagamento.', 'The receiver takes no payment of this kind.'),
  AG12: row('O banco não permite esta ordem no PIX.', 'The bank does not permit this order in PIX.'),
  AG13: row('Uma devolução não pode ser devolvida.', 'A return cannot be returned.'),
  AM01: row('O valor é zero.', 'The amount is zero.'),
  AM02: row('O valor passa de um limite.', 'The amount is over a limit.'),
  AM04: row('A conta de quem paga não tem saldo.', 'The paying account does not have enough money.'),
  AM05: row('É um pagamento repetido.', 'It is a duplicate.'),
  AM09: row('O valor está errado, ou passa do que foi pago.', 'The amount is wrong, or more than was paid.'),
  AM12: row('O valor não é válido.', 'The amount is not valid.'),
  AM18: row('O número de pagamentos não é válido.', 'The number of payments is not valid.'),
  BE01: row('O CPF ou CNPJ não é do titular da conta.', 'The CPF or CNPJ is not that of the account holder.'),
  BE05: row('Quem iniciou o pagamento não é reconhecido.', 'Whoever initiated the payment is not recognised.'),
  BE08: row('O banco errou.', 'The bank made a mistake.'),
  BE17: row('Quem recebe recusou o QR Code.', 'The receiver refused the QR code.'),
  CH11: row('O CPF ou CNPJ de quem recebe não é válido.', 'The receiver’s CPF or CNPJ is not valid.'),
  CH16: row('Um campo da ordem está malformado.', 'A field of the order is malformed.'),
  DS04: row('O banco de quem recebe recusou a ordem.', 'The receiving bank refused the order.'),
  DS0G: row('O banco não está autorizado a esta operação.', 'The bank is not authorised for this operation.'),
  DS24: row('O banco de quem recebe não respondeu a tempo.', 'The receiving bank did not answer in time.'),
  DS27: row('O banco de quem recebe não participa do PIX.', 'The receiving bank takes no part in PIX.'),
  DT02: row('A data ou a hora não é válida.', 'The date or time is not valid.'),
  DT05: row('O prazo da devolução acabou.', 'The time for a return is over.'),
  DUPL: row('É um pagamento repetido.', 'It is a duplicate.'),
  ED05: row('O banco não conseguiu processar o pagamento.', 'The bank could not process the payment.'),
  FF07: row('A finalidade do pagamento não é válida.', 'The purpose of the payment is not valid.'),
  FF08: row('O identificador fim a fim não é válido.', 'The end-to-end id is not valid.'),
  FOCR: row('Foi devolvido a pedido do banco de quem pagou.', 'It was returned because the paying bank asked.'),
  FR01: row('Foi devolvido por suspeita de fraude (MED).', 'It was returned for suspected fraud (MED).'),
  MD01: row('Não havia autorização para o pagamento.', 'There was no authorisation for the payment.'),
  MD06: row('Foi devolvido a pedido de quem recebeu.', 'It was returned because the receiver asked.'),
  NARR: row('O motivo está na mensagem do banco.', 'The reason is in the bank’s message.'),
  RC09: row('O banco de quem paga não é válido.', 'The paying bank is not valid.'),
  RC10: row('O banco de quem recebe não é válido.', 'The receiving bank is not valid.'),
  RR04: row('A lei não permite.', 'The law forbids it.'),
  SL02: row('O serviço de saque ou troco não foi prestado.', 'The cash service was not given.'),
  UPAY: row('O pagamento não era devido.', 'The payment was not due.'),
  return_not_performed: row('O provedor diz que não fez a devolução.', 'The provider reports that it made no return.'),
};
