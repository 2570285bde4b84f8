// Loaded before a process's own program: names below lies.test resolve to where an attacker's name server would have them lead.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

/** @type {Readonly<Record<string, readonly string[]>>} */
const ANSWERS = {
  'inside.lies.test': ['10.0.0.1'],
  'metadata.lies.test': ['169.254.169.254'],
  'one-of-both.lies.test': ['127.0.0.1', '192.168.0.1'],
  'mapped.lies.test': ['::ffff:10.0.0.1'],
};
const real = dns.promises.lookup;

dns.promises.lookup = /** @type {any} */ (
  async (/** @type {string} */ name, /** @type {any} */ options) => {
    const answers = ANSWERS[name];
    if (answers === undefined) return real(name, options);
    const addresses = answers.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    return options?.all === true ? addresses : addresses[0];
  }
);
syncBuiltinESMExports();
