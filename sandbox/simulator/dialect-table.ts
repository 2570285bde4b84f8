// The simulated side of every dialect.
import type { DialectName } from '../../providers/settings.js';
import { a, b, simulator } from './dialects.js';
import { apiPix, bancoDoBrasil, sicoob, sicredi } from './banks.js';
import { efi } from './efi.js';
import { pixApiServer } from './psp.js';
import type { SimulatedDialect } from './simulated-dialect.js';
import { wooviServer } from './woovi/server.js';

export const SIMULATED_DIALECTS: Readonly<Record<DialectName, SimulatedDialect>> = {
  simulator: pixApiServer('SIMULADOR', simulator),
  'simulator-a': pixApiServer('PROVEDOR A', a),
  'simulator-b': pixApiServer('PROVEDOR B', b),
  efi: pixApiServer('EFI', efi),
  woovi: wooviServer,
  'api-pix': pixApiServer('BANCO', apiPix),
  sicredi: pixApiServer('SICREDI', sicredi),
  'banco-do-brasil': pixApiServer('BANCO DO BRASIL', bancoDoBrasil),
  sicoob: pixApiServer('SICOOB', sicoob),
};
