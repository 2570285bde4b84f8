// The provider's side of a campaign: what happens there.
import { request } from 'undici';
import type { Environment } from './environment.js';

const TIMEOUT_MS = 15_000;

/** The player pays at the simulated provider; its callback follows unless the link is cut. */
export async function pays({ simulator }: Environment, depositId: string): Promise<void> {
  const path = `charges/${depositId.slice('dep_'.length)}/pay`;
  const answer = await request(`${simulator.url}/control/simulator/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200)
    throw new Error(`the simulator answered ${answer.statusCode} to ${path}: ${text.slice(0, 200)}`);
}
