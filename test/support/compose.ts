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
  return composeFile<{ services: Record<string, Service> }>().services;
}

/** Its networks by name, likewise. */
export function composeNetworks<Network>(): Record<string, Network> {
  return composeFile<{ networks: Record<string, Network> }>().networks;
}

function composeFile<File>(): File {
  return parse(composeText(), { merge: true, maxAliasCount: -1, customTags: [RESET] }) as File;
}
