// The roles under which the gateway's processes use its database. Each has only what prisma/grants.ts
// grants to it and to the roles that it includes. The owner, who applies the migrations, is not one of them.

export const ROLES = {
  gateway_ingress: { includes: [], of: 'ingress processes: they take providers’ callbacks' },
  gateway_api: { includes: [], of: 'api processes' },
  gateway_rules: { includes: [], of: 'workers of the `rules` queue: they decide and store payments' },
  gateway_payments: { includes: ['gateway_rules'], of: 'workers of the `payments` queue and of the providers’ queues' },
  gateway_webhooks: { includes: [], of: 'workers of the `webhooks` queue' },
  gateway_worker: {
    includes: ['gateway_payments', 'gateway_webhooks'],
    of: 'a worker of every queue, as `npm start` has one',
  },
  gateway_panel: {
    includes: [],
    of: 'the panel: where people decide; reads everything but secrets, and opens payments',
  },
  gateway_command: {
    includes: [],
    of: 'the server of the `gateway` command (in a sandbox the command itself); reads everything',
  },
  gateway_setup: { includes: [], of: 'the installation: makes the first admins, once' },
  gateway_certificates: { includes: [], of: 'the machine of the clients’ authority: reads what is revoked' },
  gateway_reader: { includes: [], of: 'people and tools that only read; reads everything but secrets' },
} as const satisfies Readonly<Record<string, { readonly includes: readonly string[]; readonly of: string }>>;

export type Role = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as Role[];

/** The role itself, and every one that it includes. */
export function withIncluded(role: Role): readonly Role[] {
  return [role, ...ROLES[role].includes.flatMap((one) => withIncluded(one))];
}

/** The role of a worker: the one with the fewest rights that serves its task queues (undefined: all queues). */
export function roleOfWorker(queues: string | undefined): Role {
  if (queues === undefined) return 'gateway_worker';
  const kinds = new Set(queues.split(',').map((queue) => queue.trim()));
  const isPaying = [...kinds].some((queue) => queue !== 'rules' && queue !== 'webhooks');
  if (kinds.has('webhooks')) return kinds.size === 1 ? 'gateway_webhooks' : 'gateway_worker';
  return isPaying ? 'gateway_payments' : 'gateway_rules';
}

/** Roles that a person must create. Everything else was applied. */
export class MissingRolesError extends Error {
  override readonly name = 'MissingRolesError';
  constructor(roles: readonly Role[]) {
    super(
      `these roles do not exist, and the owner of the database may not create roles: ${roles.join(', ')}. ` +
        'Create them as a role that may (docs/operating.md, Roles of the database), then run this again',
    );
  }
}
