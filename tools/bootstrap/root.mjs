// The project's root folder and the few places under it that every command needs.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder at or above this file with `prisma/schema.prisma`; the same from source and from dist/. */
function findRoot() {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'prisma', 'schema.prisma'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the project root (the folder with prisma/schema.prisma) was not found');
    folder = parent;
  }
  return folder;
}

export const root = findRoot();

/**
 * An absolute path inside the project.
 * @param {...string} parts
 */
export function inRoot(...parts) {
  return join(root, ...parts);
}
