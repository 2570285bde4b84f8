// The list of disputed payments (MED), where the played dialect has one: by when the cases were opened, in pages.
import type { Router } from '@koa/router';
import type { Middleware } from 'koa';
import { validate } from './answers.js';
import { isWithin, listQuery, pageOf } from './list-pages.js';
import type { PixApiPsp as Psp } from './simulated-dialect.js';

export function disputeRoutes(router: Router, withToken: Middleware, { dialect, books, account }: Psp): void {
  const { disputes } = dialect;
  if (disputes === undefined) return;
  router.get(disputes.path, withToken, (ctx) => {
    const query = validate(listQuery, { ...ctx.query }, 'invalid');
    const { parametros, shown } = pageOf(
      query,
      books.disputes().filter(({ dispute }) => isWithin(query, dispute.openedAt)),
    );
    ctx.body = {
      parametros,
      [disputes.name]: shown.map(({ pix, dispute }) => disputes.render(pix, dispute, account.pixKey)),
    };
  });
}
