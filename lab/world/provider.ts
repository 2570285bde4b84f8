// The provider of a run, as players and other banks move it: over the simulator's control interface. Its books are what
// truly happened to the money.
import { request } from 'undici';
import { LAB_PORTS } from '../gateway.js';

const BASE = `http://127.0.0.1:${LAB_PORTS.simulator}/control`;

export interface BookedCharge {
  readonly provider: string;
  readonly txid: string;
  readonly amount_minor: string;
  readonly payments: readonly {
    readonly end_to_end_id: string;
    readonly amount_minor: string;
    readonly paid_at: string;
    readonly reversals: readonly {
      readonly id: string;
      readonly amount_minor: string;
      readonly nature: string;
      readonly status: 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO';
    }[];
  }[];
}

export interface BookedPayout {
  readonly provider: string;
  readonly reference: string;
  readonly sends: number;
  readonly status: 'processing' | 'paid' | 'failed' | 'returned' | 'not_accepted';
  readonly amount_minor: string | null;
  readonly returns: readonly { readonly amount_minor: string }[];
}

export interface ProviderBooks {
  readonly charges: readonly BookedCharge[];
  readonly payouts: readonly BookedPayout[];
  readonly waiting_callbacks: number;
}

async function call<Answer>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Answer | null> {
  const { statusCode, body: answer } = await request(`${BASE}${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return statusCode < 300 ? ((text === '' ? {} : JSON.parse(text)) as Answer) : null;
}

/** The reference of a payment at its provider. */
export const referenceOf = (id: string): string => id.slice(id.indexOf('_') + 1);

export const provider = {
  books: async (): Promise<ProviderBooks> => (await call<ProviderBooks>('GET', '/books')) as ProviderBooks,
  /** Whether the payment was taken: a charge is paid once. */
  pay: async (name: string, id: string, order: { amount?: string; payer?: string }): Promise<boolean> => {
    const { amount, payer } = order;
    const paid = await call('POST', `/${name}/charges/${referenceOf(id)}/pay`, {
      ...(amount === undefined ? {} : { amount_minor: amount }),
      ...(payer === undefined ? {} : { payer_document: { type: 'CPF', number: payer, name: 'Outra Pessoa' } }),
    });
    return paid !== null;
  },
  reverse: async (name: string, id: string, kind: 'refund' | 'chargeback', amount: string | null) =>
    (await call('POST', `/${name}/charges/${referenceOf(id)}/reverse`, {
      kind,
      ...(amount === null ? {} : { amount_minor: amount }),
    })) !== null,
  settle: async (name: string, id: string, result: 'paid' | 'failed' | 'returned', amount: string | null = null) =>
    (await call('POST', `/${name}/payouts/${referenceOf(id)}/settle`, {
      result,
      ...(amount === null ? {} : { amount_minor: amount }),
    })) !== null,
  outage: (name: string, mode: 'none' | 'error' | 'hang' | 'refuse') => call('PUT', `/${name}/outage`, { mode }),
};
