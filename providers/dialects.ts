// Every dialect behind the port: what it can do, which settings it takes, and what opens it.
import type { DialectEntry } from './dialect-entry.js';
import type { DialectName } from './dialect-names.js';
import { API_PIX, BANCO_DO_BRASIL, SICOOB, SICREDI } from './pix-api/banks.js';
import { EFI } from './pix-api/efi.js';
import { pixApi } from './pix-api/family.js';
import { SIMULATOR, SIMULATOR_A, SIMULATOR_B } from './pix-api/simulator-dialects.js';
import { WOOVI } from './woovi/entry.js';

export const DIALECTS: Readonly<Record<DialectName, DialectEntry>> = {
  simulator: pixApi(SIMULATOR),
  'simulator-a': pixApi(SIMULATOR_A),
  'simulator-b': pixApi(SIMULATOR_B),
  efi: pixApi(EFI),
  woovi: WOOVI,
  'api-pix': pixApi(API_PIX),
  sicredi: pixApi(SICREDI),
  'banco-do-brasil': pixApi(BANCO_DO_BRASIL),
  sicoob: pixApi(SICOOB),
};
