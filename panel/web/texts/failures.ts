// What a failure code of a payment, or of a return, means to a desk: our own codes, and those of banks.
import type { FAILURE_CODES } from '../../../contract/http/error-help.js';
import { BANK_CODES } from '../../../domain/bank-codes.js';
import type { Language } from './language.js';

type Meanings = Readonly<Record<keyof typeof FAILURE_CODES, string>>;

const ptBr: Meanings = {
  psp_rejected: 'O provedor recusou a cobrança, sem dizer por quê.',
  psp_removed: 'O provedor retirou a cobrança antes do pagamento.',
  charge_expired: 'A resposta do provedor chegou quando a cobrança já não podia ser paga.',
  environment_guard: 'O provedor devolveu um PIX de outro ambiente. Não foi entregue.',
  key_malformed: 'Nenhum diretório pode ter uma chave desta forma.',
  key_not_found: 'A chave PIX não é de ninguém.',
  key_of_another_document: 'A chave PIX é de outra pessoa que não o jogador.',
  account_blocked: 'A conta que recebe está bloqueada.',
  document_not_supported: 'O provedor não aceita o tipo de documento do jogador.',
  amount_not_supported: 'O provedor não aceita este valor.',
  payout_invalid: 'O provedor recusou a ordem como inválida.',
  paying_key_invalid: 'A chave do próprio gateway no provedor não vale.',
  payment_denied: 'O provedor negou o pagamento, sem dizer por quê.',
  payment_failed: 'O provedor diz que falhou, sem dizer por quê.',
  psp_failed: 'O provedor diz que falhou, sem dizer por quê.',
  psp_never_accepted: 'O provedor declarou que a ordem nunca chegou; duas pessoas deram baixa.',
  psp_never_paid: 'O provedor declarou que não pagou nem pagará; duas pessoas deram baixa.',
};

const en: Meanings = {
  psp_rejected: 'The provider refused the charge and gave no reason.',
  psp_removed: 'The provider withdrew the charge before it was paid.',
  charge_expired: 'The provider’s answer came when the charge could no longer be paid.',
  environment_guard: 'The provider returned a PIX of another environment. It was not delivered.',
  key_malformed: 'No directory can hold a key of this form.',
  key_not_found: 'The PIX key belongs to nobody.',
  key_of_another_document: 'The PIX key belongs to somebody other than the player.',
  account_blocked: 'The receiving account is blocked.',
  document_not_supported: 'The provider takes no document of the player’s type.',
  amount_not_supported: 'The provider takes no such amount.',
  payout_invalid: 'The provider refused the order as invalid.',
  paying_key_invalid: 'The gateway’s own key at the provider is not valid.',
  payment_denied: 'The provider denied the payment and gave no reason.',
  payment_failed: 'The provider reports a failure and gave no reason.',
  psp_failed: 'The provider reports a failure and gave no reason.',
  psp_never_accepted: 'The provider stated that the order never reached it; two people wrote it off.',
  psp_never_paid: 'The provider stated that it did not pay and never will; two people wrote it off.',
};

const ofBanks = (language: Language) =>
  Object.fromEntries(Object.entries(BANK_CODES).map(([code, meaning]) => [code, meaning[language]]));

export const failureTexts: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  'pt-BR': { ...ofBanks('pt-BR'), ...ptBr },
  en: { ...ofBanks('en'), ...en },
};
