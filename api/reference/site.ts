// The documentation site (`npm run docs:site`), which the api serves beside the API reference: only files of the list
// that the build wrote, read when they are asked for.
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../../platform/config/project-root.js';

export const SITE_LIST = 'files.json';

/** What the build leaves for the api. */
export interface SiteList {
  /** By the path of the request. */
  readonly files: Readonly<
    Record<string, { readonly file: string; readonly type: string; readonly etag: string; readonly gzip: boolean }>
  >;
  /** Digests of the pages' inline scripts, as a content security policy has them. */
  readonly scripts: readonly string[];
}

export interface SiteFile {
  readonly contentType: string;
  readonly etag: string;
  readonly isCompressed: boolean;
  /** Its name has a digest of its content. */
  readonly isImmutable: boolean;
  /** Undefined when another build has replaced it. */
  readonly read: (gzip: boolean) => Promise<Buffer | undefined>;
}

export interface Site {
  readonly find: (path: string) => SiteFile | undefined;
  readonly scripts: () => readonly string[];
}

/** The site that was built, also after the api has started. Without one, nothing is found. */
export function builtSite(folder = join(projectRoot(), 'dist', 'site')): Site {
  let list: SiteList | undefined;
  const load = () => {
    const file = join(folder, SITE_LIST);
    list ??= existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as SiteList) : undefined;
    return list;
  };
  const readOrForget = async (file: string): Promise<Buffer | undefined> => {
    try {
      return await readFile(join(folder, file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      list = undefined;
      return undefined;
    }
  };
  return {
    scripts: () => load()?.scripts ?? [],
    find: (path) => {
      const { files = {} } = load() ?? {};
      const found = Object.hasOwn(files, path) ? files[path] : undefined;
      if (found === undefined) return undefined;
      const { file, type, etag, gzip } = found;
      return {
        contentType: type,
        etag: `"${etag}"`,
        isCompressed: gzip,
        isImmutable: file.startsWith('assets/'),
        read: (packed) => readOrForget(packed && gzip ? `${file}.gz` : file),
      };
    },
  };
}
