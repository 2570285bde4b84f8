// Keeps the contract of a version: written once, when the version is new, and never again.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KEPT_FILE, keptContract } from '../../contract/http/kept-contract.js';
import { ROUTES } from '../../contract/http/routes.js';
import { projectRoot } from '../../platform/config/project-root.js';

export function writeKeptContract(): void {
  const file = join(projectRoot(), 'contract', 'http', 'kept', KEPT_FILE);
  if (!existsSync(file)) writeFileSync(file, keptContract(ROUTES));
}
