// An account's own resources: its balance, and the address for its callbacks.
import type { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import { z } from 'zod';
import { toWireAmount } from '../../providers/pix-api/wire.js';
import { readJson, SimulatorError } from './answers.js';
import type { PixApiPsp as Psp } from './simulated-dialect.js';
import { tryAddress } from './trial.js';

export function accountRoutes(router: Router, given: (scope: string) => Middleware, psp: Psp): void {
  const { webhook, balance } = psp.dialect.paths;
  if (webhook !== undefined) {
    router.put(webhook, given('webhook.write'), (ctx) => registerWebhook(psp, ctx));
    router.get(webhook, given('webhook.read'), (ctx) => showWebhook(psp, ctx));
    router.delete(webhook, given('webhook.write'), (ctx) => removeWebhook(psp, ctx));
  }
  if (balance !== undefined) router.get(balance, given('gn.balance.read'), (ctx) => showBalance(psp, ctx));
}

const webhookBody = z.object({ webhookUrl: z.url({ protocol: /^https?$/ }) });

async function registerWebhook(psp: Psp, ctx: Context): Promise<void> {
  const { webhookUrl } = await readJson(ctx, webhookBody, 'invalid_webhook');
  if (ctx['params']['key'] !== psp.account.pixKey)
    throw new SimulatorError('invalid_webhook', 'chave: is not a key of this client');
  if (psp.dialect.triesWebhooks === true) await trial(psp, webhookUrl, ctx.get('x-skip-mtls-checking') === 'true');
  psp.bank.registerWebhook(psp.provider, '', webhookUrl);
  ctx.body = { webhookUrl };
}

/** With an empty list of payments, as its documentation does not say what a trial holds. */
async function trial({ certificate }: Psp, url: string, skipsCertificate: boolean): Promise<void> {
  const body = { pix: [] };
  if (!skipsCertificate) {
    const unknown = await tryAddress(url, body, certificate === null ? {} : { ca: certificate.ca });
    if (unknown !== null && unknown < 400)
      throw new SimulatorError('webhook_refused', 'A autenticação de TLS mútuo não está configurada na URL informada');
  }
  const status = await tryAddress(url, body, certificate ?? {});
  if (status === null) throw new SimulatorError('webhook_refused', 'A URL informada está inacessível');
  if (status !== 200)
    throw new SimulatorError('webhook_refused', `A URL informada respondeu com o código HTTP ${status}`);
}

function showWebhook({ books, account }: Psp, ctx: Context): void {
  const webhookUrl = books.webhooks.get('');
  if (webhookUrl === undefined) throw new SimulatorError('webhook_unknown', 'chave: no webhook');
  ctx.body = { webhookUrl, chave: account.pixKey, criacao: new Date().toISOString() };
}

function removeWebhook({ provider, bank, books }: Psp, ctx: Context): void {
  if (!books.webhooks.has('')) throw new SimulatorError('webhook_unknown', 'chave: no webhook');
  bank.removeWebhook(provider, '');
  ctx.status = 204;
}

function showBalance({ books }: Psp, ctx: Context): void {
  const blocked = toWireAmount(books.blockedMinor);
  ctx.body = {
    saldo: toWireAmount(books.reportedBalance()),
    ...(ctx.query['bloqueios'] === 'true' ? { bloqueios: { judicial: '0.00', med: blocked, total: blocked } } : {}),
  };
}
