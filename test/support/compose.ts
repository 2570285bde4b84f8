// docker-compose.yml as Compose reads it: anchors merged, its own tags understood.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, type ScalarTag } from 'yaml';
import { projectRoot } from '../../platform/config/project-root.js';

/** Takes a value away that a merge brought. */
const RESET: ScalarTag = { tag: '!reset', resolve: () => null };

export function composeText(): string {
  return readFileSync(join(projectRoot(), 'docker-compose.yml'), 'utf8');
}

/** Its services by name; the caller names what of them it reads. */
export function composeServices<Service>(): Record<string, Service> {
  const file: unknown = parse(composeText(), { merge: true, maxAliasCount: -1, customTags: [RESET] });
  return (file as { services: Record<string, Service> }).services;
}
