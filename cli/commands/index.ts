// The tree of commands. Each command's file registers itself; what a command needs is loaded when it runs.
import type { Command } from 'commander';
import type { Registrar } from '../program.js';
import { registerAllowlistSet } from './allowlist-set.js';
import { registerKeyCreate } from './key-create.js';
import { registerKeyRevoke } from './key-revoke.js';
import { registerListEntries } from './list-entries.js';
import { registerOperationCreate } from './operation-create.js';
import { registerOperationList } from './operation-list.js';
import { registerOperationSetWebhook } from './operation-set-webhook.js';
import { registerOperationStatus } from './operation-status.js';
import { registerRulesSet } from './rules-set.js';
import { registerRulesShow } from './rules-show.js';

type Register = (parent: Command, run: Registrar) => void;

const GROUPS: readonly { readonly name: string; readonly description: string; readonly commands: readonly Register[] }[] = [
  { name: 'operation', description: 'operations: onboard, suspend, list', commands: [registerOperationCreate, registerOperationList, registerOperationStatus, registerOperationSetWebhook] },
  { name: 'key', description: 'API keys', commands: [registerKeyCreate, registerKeyRevoke] },
  { name: 'allowlist', description: 'networks that may call', commands: [registerAllowlistSet] },
  { name: 'list', description: 'block and review lists', commands: [registerListEntries] },
  { name: 'rules', description: 'rule sets', commands: [registerRulesSet, registerRulesShow] },
];

export function registerCommands(program: Command, run: Registrar): void {
  for (const { name, description, commands } of GROUPS) {
    const group = program.command(name).description(description).helpCommand(false);
    for (const register of commands) register(group, run);
  }
}
