// What an account tells of itself: its balance, and where it wants to be called back.
import type { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import { toWireAmount } from '../../providers/pix-api/amounts.js';
import { readJson, SimulatorError } from './answers.js';
import type { SpeakingPsp as Psp } from './simulated-dialect.js';

export function accountRoutes(router: Router, withToken: Middleware, psp: Psp): void {
  const { webhook, balance } = psp.dialect.paths;
  if (webhook !== undefined) {
    router.put(webhook, withToken, (ctx) => registerWebhook(psp, ctx));
    router.get(webhook, withToken, (ctx) => showWebhook(psp, ctx));
    router.delete(webhook, withToken, (ctx) => removeWebhook(psp, ctx));
  }
  if (balance !== undefined) router.get(balance, withToken, (ctx) => showBalance(psp, ctx));
}

const webhookBody = z.object({ webhookUrl: z.url({ protocol: /^https?$/ }) });
const TRIAL_MS = 3_000;

async function registerWebhook({ provider, bank, account, dialect }: Psp, ctx: Context): Promise<void> {
  const { webhookUrl } = await readJson(ctx, webhookBody, 'invalid');
  if (ctx['params']['key'] !== account.pixKey)
    throw new SimulatorError('invalid', 'chave: is not a key of this client');
  if (dialect.triesWebhooks === true && !(await answers(webhookUrl)))
    throw new SimulatorError('invalid', 'webhookUrl: does not answer a trial with 200');
  bank.registerWebhook(provider, '', webhookUrl);
  ctx.body = { webhookUrl };
}

/** With an empty list of payments, as its documentation does not say what a trial holds. */
async function answers(url: string): Promise<boolean> {
  try {
    const body = JSON.stringify({ pix: [] });
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(TRIAL_MS) });
    return status === 200;
  } catch {
    return false;
  }
}

function showWebhook({ books, account }: Psp, ctx: Context): void {
  const webhookUrl = books.webhooks.get('');
  if (webhookUrl === undefined) throw new SimulatorError('not_found', 'chave: no webhook');
  ctx.body = { webhookUrl, chave: account.pixKey, criacao: new Date().toISOString() };
}

function removeWebhook({ provider, bank, books }: Psp, ctx: Context): void {
  if (!books.webhooks.has('')) throw new SimulatorError('not_found', 'chave: no webhook');
  bank.removeWebhook(provider, '');
  ctx.status = 204;
}

function showBalance({ books }: Psp, ctx: Context): void {
  const blocked = toWireAmount(books.blockedMinor);
  ctx.body = {
    saldo: toWireAmount(books.tellsBalance()),
    ...(ctx.query['bloqueios'] === 'true' ? { bloqueios: { judicial: '0.00', med: blocked, total: blocked } } : {}),
  };
}
