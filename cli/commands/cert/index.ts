// `gateway cert`: the client certificates of operations for the TLS edge, issued by the gateway's own authority.
import type { Command } from 'commander';
import type { Registrar } from '../../context.js';
import { registerAuthority } from './authority.js';
import { registerIssue } from './issue.js';
import { registerList } from './list.js';
import { registerRecord } from './record.js';
import { registerRevocationList } from './revocation-list.js';
import { registerRevoke } from './revoke.js';

export function registerCert(program: Command, run: Registrar): void {
  const cert = program.command('cert').description('Manage client certificates of the TLS edge');
  registerAuthority(cert, run);
  registerIssue(cert, run);
  registerRecord(cert, run);
  registerList(cert, run);
  registerRevoke(cert, run);
  registerRevocationList(cert, run);
}
