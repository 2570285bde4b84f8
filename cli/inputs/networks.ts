// The networks of an allowlist, as a command takes them.
import { MOST_NETWORKS, readAllowedNetwork } from '../../domain/allowed-networks.js';
import { badInput } from '../problem.js';

/** The networks in canonical spelling, without repetitions, in the given order. */
export function readNetworks(field: string, texts: readonly string[]): string[] {
  const networks = [...new Set(texts.map((text) => networkOf(field, text)))];
  if (networks.length > MOST_NETWORKS) throw badInput(field, `takes at most ${MOST_NETWORKS} networks`);
  return networks;
}

function networkOf(field: string, text: string): string {
  const read = readAllowedNetwork(text);
  if ('problem' in read) throw badInput(field, read.problem);
  return read.network;
}
