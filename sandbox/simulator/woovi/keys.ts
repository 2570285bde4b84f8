// The key check of the simulated Woovi, and what is left of the account's tokens.
import type { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { isPixKeyFormat, PIX_KEY_TYPES } from '../../../domain/pix.js';
import { keyBehaviourOf } from '../behaviours.js';
import type { Psp } from '../simulated-dialect.js';
import type { Person } from '../state.js';
import { answer } from './answering.js';
import { WooviRefusal } from './refusal.js';

/** With fewer tokens Woovi does not ask the directory. */
const LEAST_TOKENS = 20;
const REFRESH_SECONDS = 60;
/** The request names no expected holder: a key that is not registered belongs to this person. */
const ANYBODY: Person = { type: 'CPF', number: '52998224725', name: 'Ana Souza' };
const TYPES = { cpf: 'CPF', cnpj: 'CNPJ', email: 'EMAIL', phone: 'PHONE', random: 'EVP' } as const;

export function keyRoutes(router: Router, known: Middleware, psp: Psp): void {
  router.get('/api/v1/pix-keys/tokens', known, (ctx) => {
    const { tokens, capacity, refillPerMinute } = psp.directory.budget();
    ctx.body = {
      tokens,
      maxTokens: capacity,
      nextRefresh: new Date(Date.now() + REFRESH_SECONDS * 1_000).toISOString(),
      tokensAfterRefresh: Math.min(capacity, tokens + refillPerMinute),
      refreshRate: refillPerMinute,
    };
  });
  router.get('/api/v1/pix-keys/:key/check', known, (ctx) => checkKey(psp, ctx));
}

async function checkKey({ directory, bank, delays }: Psp, ctx: Context): Promise<void> {
  const key = String(ctx['params'].key);
  const type = PIX_KEY_TYPES.find((one) => isPixKeyFormat(one, key));
  if (type === undefined) throw new WooviRefusal(400, 'Invalid Pix key');
  const tooMany = () =>
    new WooviRefusal(429, 'You tried to consult many Pix keys that do not exist.', 'TOO_MANY_REQUESTS');
  if (directory.budget().tokens < LEAST_TOKENS) throw tooMany();
  const found = directory.lookUp({ key, keyType: type, expected: ANYBODY });
  switch (found.kind) {
    case 'rate_limited':
      throw tooMany();
    case 'unavailable':
      throw new WooviRefusal(400, 'Error verifying pix key');
    case 'unknown_key':
      throw new WooviRefusal(404, 'Pix key not found', 'PIX_KEY_INFO_NOT_FOUND');
    case 'owner':
  }
  const behaviour = keyBehaviourOf(key);
  const mode =
    behaviour?.kind === 'slow'
      ? ({ kind: 'delayed', delayMs: behaviour.delayMs } as const)
      : ({ kind: 'normal' } as const);
  await answer(ctx, delays, mode, {
    pixKeyEndToEndId: bank.newEndToEndId(),
    pixKey: key,
    type: TYPES[type],
    owner: {
      name: found.owner.name ?? 'Sem Nome',
      taxID: shown(found.owner),
      psp: '99999999',
      branch: '****',
      account: '********',
    },
  });
}

/** A CPF with its first three and last two digits, a CNPJ whole. */
function shown({ type, number }: Person): string {
  return type === 'CPF'
    ? `${number.slice(0, 3)}.***.***-${number.slice(9)}`
    : number.replace(/^(\d{2})(\d{3})(\d{3})(\d{4})(\d{2})$/, '$1.$2.$3/$4-$5');
}
