// The api process's configuration, from its environment.
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { combined, port, readEnvironment, sharedSchema } from './environment.js';
import { providersSchema } from './providers.js';
import { secretsSchema } from './secrets.js';

const MAX_PREFIX = { 4: 32, 6: 128 } as const;

/** `10.0.0.0/8,::1`: addresses and networks, separated by commas. */
const networks = z
  .string()
  .default('')
  .transform((text, context) => {
    const list = new BlockList();
    for (const item of text.split(',').map((part) => part.trim()).filter((part) => part !== '')) {
      const [address = '', prefix] = item.split('/');
      const version = isIP(address) as 0 | 4 | 6;
      const family = version === 4 ? 'ipv4' : 'ipv6';
      const bits = version === 0 ? 0 : prefix === undefined ? MAX_PREFIX[version] : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
      if (version === 0 || bits < 0 || bits > MAX_PREFIX[version]) context.addIssue({ code: 'custom', message: `${item} is neither an address nor a network` });
      else list.addSubnet(address, bits, family);
    }
    return list;
  });

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be a header name')
  .transform((name) => name.toLowerCase())
  .refine((name) => name !== 'x-forwarded-for' && name !== 'forwarded', 'must be a header with one address, which the edge overwrites; never X-Forwarded-For');

const apiSchema = sharedSchema
  .extend({
    API_HOST: z.string().default('127.0.0.1'),
    API_PORT: port(7800),
    INGRESS_HOST: z.string().default('127.0.0.1'),
    INGRESS_PORT: port(7801),
    GATEWAY_DOCS_URL: z.url({ protocol: /^https?$/ }).default('http://127.0.0.1:7800/docs').transform((url) => url.replace(/\/+$/, '')),
    TRUSTED_PROXIES: networks,
    TRUSTED_PROXY_HEADER: headerName.optional(),
  })
  .refine(({ TRUSTED_PROXIES, TRUSTED_PROXY_HEADER }) => TRUSTED_PROXIES.rules.length > 0 === (TRUSTED_PROXY_HEADER !== undefined), {
    path: ['TRUSTED_PROXY_HEADER'],
    error: 'goes with TRUSTED_PROXIES: both or neither',
  });

const schema = combined({ api: apiSchema, secrets: secretsSchema, providers: providersSchema }).transform(({ api, secrets, providers }) => ({ ...api, ...secrets, providers }));

export type ApiConfig = ReturnType<typeof readApiConfig>;

/** Reads and freezes the configuration; throws ConfigurationError naming every wrong variable. */
export function readApiConfig(environment: NodeJS.ProcessEnv) {
  return readEnvironment(schema, environment, 'api');
}
