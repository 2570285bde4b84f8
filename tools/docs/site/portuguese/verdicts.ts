// What a refusal says about the payment, in Portuguese. `VERDICTS_OF` names the English text.
import { createHash } from 'node:crypto';
import {
  type EndpointKind,
  ENDPOINT_KINDS,
  type ValidationRefusal,
  type Verdict,
  VERDICTS,
} from '../../../../contract/http/verdicts.js';

/** A digest of the English text. */
export function digestOfVerdicts(): string {
  return createHash('sha256')
    .update(JSON.stringify([VERDICTS, ENDPOINT_KINDS]))
    .digest('hex')
    .slice(0, 8);
}

export const VERDICTS_OF = '928f4337';

type VerdictTexts = Readonly<Record<'title' | 'meaning' | 'next', string>>;

export const PORTUGUESE_VERDICTS: Readonly<Record<Verdict, VerdictTexts>> = {
  payment_decided: {
    title: 'pagamento decidido',
    meaning: 'Esta requisição não fez nada, e nenhuma tentativa anterior com este `Idempotency-Key` fez alguma coisa.',
    next: 'Libere a reserva. Para tentar de novo, corrija a requisição e use um novo `external_id` e uma nova chave.',
  },
  payment_exists: {
    title: 'o pagamento existe (consulte)',
    meaning: 'O pagamento existe. Esta resposta não o altera.',
    next: 'Mantenha a reserva. Aja conforme o estado do pagamento: `existing` na resposta, ou leia o pagamento.',
  },
  nothing_known: {
    title: 'nada se sabe de uma tentativa anterior',
    meaning: 'Esta requisição não fez nada. Uma tentativa anterior pode ter dado certo.',
    next:
      'Mantenha a reserva. Corrija a causa e envie de novo a chave e os bytes guardados, ou consulte o pagamento por ' +
      '`external_id`.',
  },
  repeat: {
    title: 'repita',
    meaning: 'O resultado ainda não é conhecido.',
    next:
      'Mantenha a reserva. Envie a mesma chave e os mesmos bytes de novo, depois de `Retry-After` se ele vier. Se você ' +
      'parar de repetir, consulte o pagamento por `external_id`.',
  },
};

export const PORTUGUESE_KINDS: Readonly<Record<EndpointKind, string>> = {
  create: 'POST que cria um pagamento',
  act: 'POST que age sobre um pagamento',
  other_post: 'outro POST',
  read: 'GET',
};

export const PORTUGUESE_REFUSALS: Readonly<Record<ValidationRefusal, string>> = {
  validation_failed_body: '400 `validation_failed` em que todos os `errors[].field` são campos do corpo ou da query',
  validation_failed_other:
    '400 `validation_failed` que cita um cabeçalho (`Idempotency-Key`, `Content-Type`) ou nenhum campo',
  validation_failed_too_large: '413 `validation_failed`',
};
