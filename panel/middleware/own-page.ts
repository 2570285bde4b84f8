// Accepts requests of the panel's own page only. A request that changes something must prove its origin by two headers
// that no other site can set: `Origin`, and the browser's `Sec-Fetch-Site`. A request without them is refused as well.
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
