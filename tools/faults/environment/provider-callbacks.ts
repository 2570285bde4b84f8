// What each dialect's callbacks look like. A callback is a reason to look, so they hold what is needed to find a
// payment and little else.
import { randomBytes } from 'node:crypto';

export type PayoutNews = 'EM_PROCESSAMENTO' | 'REALIZADO' | 'NAO_REALIZADO' | 'DEVOLVIDO';

export interface ChargeNews {
  readonly txid: string;
  readonly endToEndId: string;
  readonly amount: string;
  readonly reversal: 'ORIGINAL' | 'MED_FRAUDE' | undefined;
}

export interface SendNews {
  readonly reference: string;
  readonly endToEndId: string;
  readonly amount: string;
  readonly status: PayoutNews;
}

/** What the bodies need of the account. */
export interface CallbackAccount {
  readonly pixKey: string;
  readonly callbackSecret: string;
}

/** `path` below `/callbacks/simulator`. */
interface CallbackMessage {
  readonly path: string;
  readonly body: object;
}

export interface CallbackBodies {
  readonly charges: (news: readonly ChargeNews[], account: CallbackAccount) => CallbackMessage;
  /** `null` where the bank sends none. */
  readonly payout: ((news: SendNews, account: CallbackAccount) => CallbackMessage) | null;
}

/** A batch as the standard describes it. */
function batchOf(news: readonly ChargeNews[], { pixKey }: CallbackAccount): { readonly pix: readonly object[] } {
  const at = new Date().toISOString();
  return {
    pix: news.map(({ txid, endToEndId, amount, reversal }) => ({
      endToEndId,
      txid,
      valor: amount,
      horario: at,
      chave: pixKey,
      ...(reversal === undefined
        ? {}
        : {
            devolucoes: [
              {
                id: randomBytes(8).toString('hex'),
                valor: amount,
                natureza: reversal,
                status: 'DEVOLVIDO',
                horario: { solicitacao: at, liquidacao: at },
              },
            ],
          }),
    })),
  };
}

const OWN: CallbackBodies = {
  charges: (news, account) => ({ path: '/pix', body: batchOf(news, account) }),
  payout: ({ reference, endToEndId, amount, status }) => {
    const at = new Date().toISOString();
    return {
      path: '/payouts',
      body: {
        idEnvio: reference,
        valor: amount,
        status,
        endToEndId,
        horario: { solicitacao: at, liquidacao: at },
        ...(status === 'NAO_REALIZADO' ? { motivo: { codigo: 'AC03' } } : {}),
        ...(status === 'DEVOLVIDO' ? { devolucao: { horario: at, codigo: 'BE01' } } : {}),
      },
    };
  },
};

/** Proved by a parameter of the address, which is one for both where there are payouts. */
const pathWithProof = ({ callbackSecret }: CallbackAccount) =>
  `?hmac=${encodeURIComponent(callbackSecret)}&ignorar=/pix`;

const EFI: CallbackBodies = {
  charges: (news, account) => ({ path: pathWithProof(account), body: batchOf(news, account) }),
  payout: ({ reference, endToEndId, amount, status }, account) => {
    const at = new Date().toISOString();
    const isReturned = status === 'DEVOLVIDO';
    const horario = { solicitacao: at, liquidacao: at };
    const send = {
      endToEndId,
      chave: account.pixKey,
      tipo: 'SOLICITACAO',
      status: isReturned ? 'REALIZADO' : status,
      valor: amount,
      horario: status === 'NAO_REALIZADO' ? null : at,
      ...(isReturned
        ? { devolucoes: [{ id: 'D1', valor: amount, status: 'DEVOLVIDO', horario, codigo: 'BE01' }] }
        : {}),
      gnExtras: { idEnvio: reference, ...(status === 'NAO_REALIZADO' ? { erro: { codigo: 'AC03' } } : {}) },
    };
    return { path: pathWithProof(account), body: { pix: [send] } };
  },
};

const API_PIX: CallbackBodies = { charges: EFI.charges, payout: null };

/** One event a call: of several, the first. */
const WOOVI: CallbackBodies = {
  charges: ([first]) => ({ path: '/events', body: first === undefined ? {} : eventOf(first) }),
  payout: ({ reference, endToEndId, status }) => ({
    path: '/events',
    body:
      status === 'DEVOLVIDO'
        ? { event: 'PIX_TRANSACTION_REFUND_RECEIVED_CONFIRMED', originalTransaction: { endToEndId } }
        : {
            event: `OPENPIX:MOVEMENT_${status === 'NAO_REALIZADO' ? 'FAILED' : 'CONFIRMED'}`,
            payment: { correlationID: reference },
            transaction: { endToEndId },
          },
  }),
};

function eventOf({ txid, endToEndId, reversal }: ChargeNews): object {
  switch (reversal) {
    case 'ORIGINAL':
      return { event: 'PIX_TRANSACTION_REFUND_SENT_CONFIRMED', originalTransaction: { endToEndId } };
    case 'MED_FRAUDE':
      return { event: 'OPENPIX:DISPUTE_ACCEPTED', dispute: { endToEndId } };
    case undefined:
      return { event: 'OPENPIX:CHARGE_COMPLETED', charge: { correlationID: txid }, pix: { endToEndId } };
  }
}

/** Of the dialects that the campaign's settings use. */
export const CALLBACK_BODIES = {
  simulator: OWN,
  efi: EFI,
  woovi: WOOVI,
  'api-pix': API_PIX,
} as const satisfies Readonly<Record<string, CallbackBodies>>;
