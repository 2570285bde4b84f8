// An attempt without an answer is over after the time that the guide names: its signature and its order have ended.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOCK_WINDOW_SECONDS } from '../../../api/middleware/limits.js';
import { projectRoot } from '../../../platform/config/project-root.js';
import { ORDER_LASTS_MS } from '../../../store/sealing/orders.js';

const MINUTE_MS = 60_000;

describe('an attempt whose answer was lost', () => {
  for (const [file, said] of [
    ['docs/integrating.md', /made more than\s+(\d+) minutes after your last attempt was signed is final/],
    ['docs/pt-BR/integrating.md', /mais de\s+(\d+)\s+minutos/],
  ] as const)
    it(`${file}: creates nothing after the time that the guide names`, () => {
      const [, minutes] = said.exec(readFileSync(join(projectRoot(), file), 'utf8')) ?? [];
      // Accepted at the last moment of its signature, its order waits at most so long for its row.
      const lastMs = CLOCK_WINDOW_SECONDS * 1_000 + ORDER_LASTS_MS;
      assert.ok(lastMs < Number(minutes) * MINUTE_MS, `${lastMs / MINUTE_MS} minutes, and the guide says ${minutes}`);
    });
});
