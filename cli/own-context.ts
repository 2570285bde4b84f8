// What a command on a person's own machine has besides the variables: files, the kept session, and the gateway's
// server.
import type { OwnContext } from './context.js';
import { badInput } from './problem.js';
import type { RunOnServer } from './server-run.js';
import type { Terminal } from './terminal.js';

type ContextParts = Pick<Terminal, 'environment' | 'writeError' | 'readSecret' | 'onServer' | 'database' | 'temporal'>;

export function ownContext(parts: ContextParts): OwnContext {
  const { environment, writeError, readSecret, onServer, database, temporal } = parts;
  const place = async () => {
    const { readStaffConfig } = await import('../platform/config/cli.js');
    const { sessionFile } = readStaffConfig(environment);
    if (sessionFile === null) throw badInput('GATEWAY_SESSION_FILE', 'say where the session is kept; there is no HOME');
    return sessionFile;
  };
  const panelUrl = environment['GATEWAY_PANEL_URL'] ?? '';
  return {
    explain: (text) => writeError(`${text}\n`),
    async readFile(field, path, mostBytes) {
      const { readBytes } = await import('./inputs/files.js');
      return readBytes(field, path, mostBytes);
    },
    async readCode() {
      if (readSecret === undefined) throw badInput('CODE', 'is missing');
      const where = panelUrl === '' ? '' : ` (made at ${panelUrl}, beside your passkeys)`;
      const code = (await readSecret(`Code${where}: `)).trim();
      if (code === '') throw badInput('CODE', 'is missing: type it, or give it by standard input');
      return code;
    },
    session: {
      place,
      async read() {
        const { readStaffConfig } = await import('../platform/config/cli.js');
        const { sessionFile } = readStaffConfig(environment);
        const { readSessionFile } = await import('./session-file.js');
        return sessionFile === null ? null : readSessionFile(sessionFile);
      },
      async keep(token) {
        const { writeSessionFile } = await import('./session-file.js');
        await writeSessionFile(await place(), token);
      },
      async forget() {
        const { removeSessionFile } = await import('./session-file.js');
        await removeSessionFile(await place());
      },
    },
    isServed: false,
    database,
    temporal,
    onServer: onServer ?? (panelUrl === '' ? null : throughPanel(environment)),
  };
}

/** Loaded when it is used: most commands of a sandbox never do. */
function throughPanel(environment: NodeJS.ProcessEnv): RunOnServer {
  return async (run, events) => {
    const { runThroughPanel } = await import('./connections/panel.js');
    return runThroughPanel(environment, run, events);
  };
}
