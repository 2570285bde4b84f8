// The provider of a run, as players and other banks move it: over the simulator's control interface. Its books are what
// truly happened to the money.
import { request } from 'undici';
import { LAB_PORTS } from '../gateway.js';
import { referenceOf } from './story.js';

/** Where it is, and where the gateway takes its callbacks. */
const places = {
  simulator: `http://127.0.0.1:${LAB_PORTS.simulator}`,
  ingress: `http://127.0.0.1:${LAB_PORTS.ingress}`,
};

/** They are elsewhere: those of real processes. */
export function reachProviderAt(others: typeof places): void {
  Object.assign(places, others);
}

type ReturnState = 'EM_PROCESSAMENTO' | 'DEVOLVIDO' | 'NAO_REALIZADO';

export interface BookedCharge {
  readonly provider: string;
  readonly txid: string;
  readonly amount_minor: string;
  readonly payments: readonly {
    readonly end_to_end_id: string;
    readonly amount_minor: string;
    readonly paid_at: string;
    /** Taken from the account besides. */
    readonly fee_minor: string;
    /** Of a case by the special return mechanism; `null`: there is none. */
    readonly dispute: 'open' | 'defended' | 'accepted' | 'rejected' | 'canceled' | null;
    readonly reversals: readonly {
      readonly id: string;
      /** In PIX, as statements have it. */
      readonly return_id: string;
      readonly amount_minor: string;
      readonly nature: string;
      readonly status: ReturnState;
    }[];
  }[];
}

export interface BookedPayout {
  readonly provider: string;
  readonly reference: string;
  readonly sends: number;
  readonly status: 'processing' | 'paid' | 'failed' | 'returned' | 'not_accepted';
  readonly amount_minor: string | null;
  readonly returns: readonly { readonly amount_minor: string; readonly status: ReturnState }[];
}

export interface ProviderBooks {
  readonly charges: readonly BookedCharge[];
  readonly payouts: readonly BookedPayout[];
  readonly waiting_callbacks: number;
}

async function call<Answer>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Answer | null> {
  const { statusCode, body: answer } = await request(`${places.simulator}/control${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return statusCode < 300 ? ((text === '' ? {} : JSON.parse(text)) as Answer) : null;
}

type ReceivedPix = { readonly end_to_end_id: string };

export interface Payment {
  readonly amount?: string | undefined;
  readonly payer?: string | undefined;
  /** On a charge that is paid already. */
  readonly isAnother?: boolean;
}

const payerOf = (payer: string | undefined) =>
  payer === undefined ? {} : { payer_document: { type: 'CPF', number: payer, name: 'Outra Pessoa' } };
const amountOf = (amount: string | null | undefined) => (amount == null ? {} : { amount_minor: amount });

export const provider = {
  books: async (): Promise<ProviderBooks> => (await call<ProviderBooks>('GET', '/books')) as ProviderBooks,
  /** Its charge or its payout, wherever it is. */
  find: async (id: string): Promise<{ readonly charge?: BookedCharge; readonly payout?: BookedPayout }> => {
    const books = await call<ProviderBooks>('GET', `/books?reference=${referenceOf(id)}`);
    const [[charge], [payout]] = [books?.charges ?? [], books?.payouts ?? []];
    return { ...(charge && { charge }), ...(payout && { payout }) };
  },
  /** The end-to-end id; `null`: it was not taken. A charge is paid once as a rule. */
  pay: async (slot: string, id: string, { amount, payer, isAnother }: Payment): Promise<string | null> => {
    const order = { ...amountOf(amount), ...payerOf(payer), ...(isAnother === true && { again: true }) };
    const paid = await call<ReceivedPix>('POST', `/${slot}/charges/${referenceOf(id)}/pay`, order);
    return paid?.end_to_end_id ?? null;
  },
  /** `endToEndId`: of the payment; absent: the last one. */
  reverse: async (
    slot: string,
    id: string,
    { kind, amount, endToEndId }: { kind: 'refund' | 'chargeback'; amount: string | null; endToEndId?: string },
  ): Promise<boolean> =>
    (await call('POST', `/${slot}/charges/${referenceOf(id)}/reverse`, {
      kind,
      ...amountOf(amount),
      ...(endToEndId && { end_to_end_id: endToEndId }),
    })) !== null,
  dispute: (slot: string, id: string, status: 'open' | 'defended' | 'rejected' | 'canceled') =>
    call('POST', `/${slot}/charges/${referenceOf(id)}/dispute`, { status }),
  /** `waits`: the payout has not arrived yet, and ends so when it does; `null`: it is not possible. */
  settle: async (
    slot: string,
    id: string,
    result: 'paid' | 'failed' | 'returned',
    /** Of a return; `isRefused`: it is not performed after all. */
    { amount = null, isRefused = false }: { amount?: string | null; isRefused?: boolean } = {},
  ): Promise<'done' | 'waits' | null> => {
    const order = { result, ...amountOf(amount), ...(isRefused && { refused: true }) };
    const path = `/${slot}/payouts/${referenceOf(id)}/settle`;
    const settled = await call<{ readonly end_to_end_id: string | null }>('POST', path, order);
    return settled === null ? null : settled.end_to_end_id === null ? 'waits' : 'done';
  },
  outage: (slot: string, mode: 'none' | 'error' | 'hang' | 'refuse') => call('PUT', `/${slot}/outage`, { mode }),
  /** A PIX that belongs to no charge. */
  receive: (slot: string, amount: string, payer: string) =>
    call<ReceivedPix>('POST', `/${slot}/received`, { ...amountOf(amount), ...payerOf(payer) }),
  /** A payout that the gateway did not ask for. */
  send: (slot: string, amount: string) => call('POST', `/${slot}/payouts`, amountOf(amount)),
  /** `shownMs`: until a charge shows its payment; `returnMs`: until a return has ended. */
  lag: (slot: string, { shownMs = 0, returnMs = null }: { shownMs?: number; returnMs?: number | null }) =>
    call('PUT', `/${slot}/lag`, { conclusion_ms: null, shown_ms: shownMs, return_ms: returnMs }),
  /** What this bank does differently from others; `{}`: nothing. */
  quirks: (slot: string, quirks: object) => call('PUT', `/${slot}/quirks`, quirks),
  /** The next callbacks come in one call. */
  batch: (slot: string, size: number) => call('PUT', `/${slot}/batch`, { size }),
  /** What can be sent; `null`: whatever is wanted. */
  limit: (slot: string, amount: string | null) => call('PUT', `/${slot}/balance`, { amount_minor: amount }),
  keyBudget: (slot: string, tokens: number) => call('PUT', `/${slot}/key-budget`, { tokens }),
  /** With which the provider itself would send that callback. */
  proofOf: async (slot: string, body: string): Promise<Readonly<Record<string, string>>> =>
    (await call<{ headers: Record<string, string> }>('POST', `/${slot}/callback-headers`, { body }))?.headers ?? {},
  /** @returns the status of the answer; `null`: there was none */
  callBack: async (slot: string, body: string, headers: Readonly<Record<string, string>>): Promise<number | null> => {
    const sent = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body } as const;
    return request(`${places.ingress}/callbacks/${slot}/pix`, sent).then(
      async ({ statusCode, body: answer }) => {
        await answer.dump();
        return statusCode;
      },
      () => null,
    );
  },
};
