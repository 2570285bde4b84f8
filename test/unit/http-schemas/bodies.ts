// Valid bodies, and ways to spoil one field of them.

export const DEPOSIT = {
  external_id: 'order-1',
  player: { external_ref: 'player-1', document: { type: 'CPF', number: '52998224725', country: 'BR' } },
  amount: { amount: '5000', currency: 'BRL' },
  method: 'pix',
};

export const WITHDRAWAL = {
  external_id: 'payout-1',
  player: {
    external_ref: 'player-1',
    document: { type: 'CPF', number: '52998224725', country: 'BR' },
    ip: '203.0.113.10',
  },
  amount: { amount: '3000', currency: 'BRL' },
  method: 'pix',
  destination: { pix: { key_type: 'cpf', key: '52998224725' } },
};

/** A copy of `body` with the field at `path` (dotted) set to `value`. */
export function changed<Body extends object>(body: Body, path: string, value: unknown): Body {
  const copy = structuredClone(body) as Record<string, unknown>;
  const { holder, key } = holderOf(copy, path);
  holder[key] = value;
  return copy as Body;
}

/** A copy of `body` without the field at `path`. */
export function without<Body extends object>(body: Body, path: string): Body {
  const copy = structuredClone(body) as Record<string, unknown>;
  const { holder, key } = holderOf(copy, path);
  delete holder[key];
  return copy as Body;
}

function holderOf(body: Record<string, unknown>, path: string): { holder: Record<string, unknown>; key: string } {
  const keys = path.split('.');
  const key = keys.pop() ?? '';
  const holder = keys.reduce((current, step) => (current[step] ??= {}) as Record<string, unknown>, body);
  return { holder, key };
}
