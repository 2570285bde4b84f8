// The simulated Woovi's answers: for sentinel amounts late, wrong or never.
import type { Context } from 'koa';
import { cutConnection, stayOpenInSilence } from '../answers.js';
import type { AnswerMode } from '../behaviours.js';
import type { Delays } from '../delays.js';
import { WooviRefusal } from './refusal.js';

/** Writes an answer as a behaviour requires. The request itself has been carried out. */
export async function answer(ctx: Context, delays: Delays, mode: AnswerMode, body: object): Promise<void> {
  switch (mode.kind) {
    case 'silent':
      return stayOpenInSilence(ctx, delays);
    case 'reset':
      return cutConnection(ctx);
    case 'error':
    case 'error_without_effect':
      throw new WooviRefusal(500, 'Internal server error');
    case 'rate_limited':
      throw new WooviRefusal(429, 'Too many requests');
    case 'delayed':
      await delays.pause(mode.delayMs);
      break;
    case 'normal':
  }
  ctx.body = body;
}
