// Disputes of the simulated Woovi: the list, by when they were created, and each by its payment.
import type { Router } from '@koa/router';
import type { Context, Middleware } from 'koa';
import type { Psp } from '../simulated-dialect.js';
import { pageOf } from './pages.js';
import { WooviRefusal } from './refusal.js';
import { dispute } from './shapes.js';

export function disputeRoutes(router: Router, known: Middleware, psp: Psp): void {
  router.get('/api/v1/dispute', known, (ctx) => listDisputes(psp, ctx));
  router.get('/api/v1/dispute/:id', known, (ctx) => getDispute(psp, ctx));
}

function listDisputes({ books }: Psp, ctx: Context): void {
  const [from, to] = [ctx.query['start'], ctx.query['end']].map((text) => Date.parse(String(text)));
  const found = books.disputes().filter(({ dispute: { openedAt } }) => {
    const at = Date.parse(openedAt);
    return !(at < from!) && !(at > to!);
  });
  const { pageInfo, shown } = pageOf(found);
  ctx.body = { pageInfo, disputes: shown.map(({ pix }) => dispute(pix, 'inTheList')) };
}

function getDispute({ books }: Psp, ctx: Context): void {
  const found = books.pixOf(String(ctx['params'].id));
  const shown = found === null ? null : dispute(found.pix, 'alone');
  if (shown === null) throw new WooviRefusal(400, 'Dispute not found');
  ctx.body = { dispute: shown };
}
