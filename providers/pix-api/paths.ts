// The addresses of the standard's resources. Banks have their own prefix for each.

export interface Prefixes {
  /** Of one charge. */
  readonly cob: string;
  /** Of the list of charges. */
  readonly cobs: string;
  /** Of received PIX and their returns. */
  readonly pix: string;
  readonly webhook: string;
}

export interface Paths {
  readonly charge: (txid: string) => string;
  readonly charges: string;
  readonly received: string;
  readonly reversal: (endToEndId: string, id: string) => string;
  readonly webhook: (pixKey: string) => string;
}

/** One prefix for all. */
export function under(prefix: string): Prefixes {
  return { cob: prefix, cobs: prefix, pix: prefix, webhook: prefix };
}

export function pathsOf({ cob, cobs, pix, webhook }: Prefixes): Paths {
  return {
    charge: (txid) => `${cob}/cob/${txid}`,
    charges: `${cobs}/cob`,
    received: `${pix}/pix`,
    reversal: (endToEndId, id) => `${pix}/pix/${endToEndId}/devolucao/${id}`,
    webhook: (pixKey) => `${webhook}/webhook/${encodeURIComponent(pixKey)}`,
  };
}
