// Where the request that is being served came from. Every audit entry and every act of a person that is written during
// it says so (PCI DSS 10.2.2), without each function passing it on.
import { AsyncLocalStorage } from 'node:async_hooks';

const addresses = new AsyncLocalStorage<string>();

/** Runs `task` as a request from that address: a plain IPv4 or IPv6 address. */
export function withOrigin<Result>(address: string, task: () => Result): Result {
  return addresses.run(address, task);
}

/** The address of the request that is being served; `null` outside one, as in local commands and the workers. */
export function originAddress(): string | null {
  return addresses.getStore() ?? null;
}
