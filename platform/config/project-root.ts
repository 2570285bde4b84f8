// Finds the project's root folder, so that files needed at run time resolve the same way from source and from dist/.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The nearest folder at or above this file that holds the project's `prisma/schema.prisma`. */
export function projectRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'prisma', 'schema.prisma'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the project root (the folder with prisma/schema.prisma) was not found');
    folder = parent;
  }
  return folder;
}
