// The document of API Pix, which the project does not hold: without it the tests that need it are skipped, saying why.
import type { Context } from 'mocha';
import { API_PIX_DOCUMENT, type Judge, openJudge } from '../../lab/harness/judges/api-pix.js';

export function judgeOfApiPix(context: Context): Judge {
  const path = process.env[API_PIX_DOCUMENT];
  if (path !== undefined && path !== '') return openJudge(path);
  process.stdout.write(`  SKIPPED: API Pix is not judged: ${API_PIX_DOCUMENT} names no file\n`);
  return context.skip();
}
