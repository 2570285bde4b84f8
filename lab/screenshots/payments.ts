// The running stack, as the pictures of docs/ need it, and payments for them.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateCpf } from '@brazilian-utils/brazilian-utils';
import { createGatewayClient, newIdempotencyKey } from '../../client/index.js';
import { projectRoot } from '../../platform/config/project-root.js';

interface Sandbox {
  readonly base_url: string;
  readonly panel_url: string;
  readonly temporal_ui_url: string;
  readonly operation: { readonly operation_id: string; readonly key_id: string; readonly secret: string };
}

interface Stack {
  readonly environment: { readonly SIMULATOR_CONTROL_URL: string };
}

const readVar = (name: string): unknown => JSON.parse(readFileSync(join(projectRoot(), 'var', name), 'utf8'));

export const stack = readVar('stack.json') as Stack;
export const sandbox = readVar('sandbox.json') as Sandbox;
export const client = createGatewayClient({
  baseUrl: sandbox.base_url,
  keyId: sandbox.operation.key_id,
  secret: sandbox.operation.secret,
});
export const once = () => ({ idempotencyKey: newIdempotencyKey() });

export function deposit(amount: string, cpf: string) {
  const player = {
    external_ref: `player-${cpf.slice(0, 6)}`,
    document: { type: 'CPF' as const, number: cpf, country: 'BR' },
    name: 'Ana Sandbox',
    ip: '203.0.113.9',
  };
  return { external_id: randomUUID(), player, amount: { amount, currency: 'BRL' }, method: 'pix' as const };
}

/** A withdrawal under review of a player who has deposited. `reasons`: the operator's own. */
export async function heldWithdrawal(
  amount: string,
  reasons: readonly string[],
  deposited = '120000',
): Promise<string> {
  const cpf = generateCpf();
  const paid = await client.createDeposit(deposit(deposited, cpf), once());
  await client.sandbox.payDeposit(paid.body.id, once());
  const destination = { pix: { key_type: 'cpf' as const, key: cpf } };
  const asked = reasons.length === 0 ? {} : { review_requested: true, review_reasons: [...reasons] };
  return (await client.createWithdrawal({ ...deposit(amount, cpf), destination, ...asked }, once())).body.id;
}

/** A deposit under review: somebody else paid it. */
export async function heldDeposit(amount: string): Promise<string> {
  const { body } = await client.createDeposit(deposit(amount, generateCpf()), once());
  const payer = { type: 'CPF' as const, number: generateCpf(), country: 'BR' };
  await client.sandbox.payDeposit(body.id, once(), { payer_document: payer });
  return body.id;
}
