// `gateway review`: payments under review, and the decisions on them.
import type { Command } from 'commander';
import type { Registrar } from '../../context.js';
import { registerConcludeReturn } from './conclude-return.js';
import { registerApprove, registerRefuse, registerReturn } from './decide.js';
import { registerList, registerShow } from './queue.js';
import { registerWriteOff } from './write-off.js';

export function registerReview(program: Command, run: Registrar): void {
  const review = program.command('review').description('Review payments that wait for a person');
  registerList(review, run);
  registerShow(review, run);
  registerApprove(review, run);
  registerRefuse(review, run);
  registerReturn(review, run);
  registerWriteOff(review, run);
  registerConcludeReturn(review, run);
}
