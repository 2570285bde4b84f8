// Recorded traffic with a bank of API Pix before the judge, and what is known of each bank.
import type { DialectName } from '../../../providers/settings.js';
import type { Exchange } from '../recorder.js';
import type { Judge } from './api-pix.js';

/** Below the version, as the document writes paths. */
const pathOf = ({ path }: Exchange) => path.replace(/^\/v2(?=\/)/, '');

/**
 * Where a bank writes other things than the standard does, which its adapter must bear. Everything else is a fault.
 * Keyed by dialect; each is `path of the exchange: fault`.
 */
const KNOWN_OF: Readonly<Partial<Record<DialectName, readonly RegExp[]>>> = {
  efi: [
    // The expiry of a charge that is read is text.
    /^GET \/cob.*expiracao must be integer$/,
    // Its refusals are {nome, mensagem}, some with a status that the standard does not have.
    /^(PUT|GET) .* status 409 is not in the document$/,
    /^GET \/(cob|pix).* status 400 is not in the document$/,
    /^[A-Z]+ .*body must have required property '(type|title|status)'$/,
    /^[A-Z]+ .*type {2}is not in the document$/,
  ],
};

/** What was sent that the document does not allow, and how many of the exchanges it knows. */
export function requestFaults(judge: Judge, exchanges: readonly Exchange[]): { judged: number; faults: string[] } {
  const judged = exchanges.flatMap((exchange) => {
    const faults = judge.request(exchange.method, pathOf(exchange), exchange.body ?? undefined);
    return faults === undefined ? [] : [{ path: exchange.path, faults }];
  });
  return {
    judged: judged.length,
    faults: judged.flatMap(({ path, faults }) => faults.map((fault) => `${path} ${fault}`)),
  };
}

/** `news`: faults of answers that are not known of the bank. `idle`: what is known and did not happen. */
export function answerFaults(
  judge: Judge,
  dialect: DialectName,
  exchanges: readonly Exchange[],
): { news: string[]; idle: RegExp[] } {
  const faults = exchanges.flatMap((exchange) => {
    const { method, status, answer } = exchange;
    const path = pathOf(exchange);
    return (judge.answer(method, path, status, answer) ?? []).map((fault) => `${method} ${path} ${fault}`);
  });
  const known = KNOWN_OF[dialect] ?? [];
  return {
    news: faults.filter((fault) => !known.some((one) => one.test(fault))),
    idle: known.filter((one) => !faults.some((fault) => one.test(fault))),
  };
}
