// Only the panel's own page asks. A request that changes something must say so in two ways that no other site can: its
// origin, and the browser's own word for where it comes from. One that says nothing is refused as well.
import { refuse } from '../refusal.js';
import type { Middleware } from '../request.js';
import { answerRefusal } from './answer.js';

export function ownPage(origin: string): Middleware {
  return async (context, next) => {
    const site = context.get('Sec-Fetch-Site');
    const isOwn =
      context.method === 'GET'
        ? ['', 'same-origin', 'none'].includes(site)
        : site === 'same-origin' && context.get('Origin') === origin;
    if (!isOwn) return answerRefusal(context, refuse('cross_site'));
    await next();
  };
}
