// Checks of everything that the integration sent during the run.
import type { SeenRequest } from '../gateway/requests.js';
import type { Check } from './check.js';
import type { Stage } from './stage.js';

const MOST_NAMED = 3;

export const REQUEST_CHECKS: readonly Check[] = [
  {
    id: 'requests-well-formed',
    title: 'Every request is signed and well-formed',
    played: 'The gateway looks at every request of the run.',
    mustHold:
      'Each is signed over exactly what was sent, with a nonce of its own and the time of the attempt. Each POST has an ' +
      'Idempotency-Key, a JSON content type and a body of the contract.',
    why: 'The real gateway refuses anything else, on the day when you need it.',
    guide: 'signing',
    when: 'last',
    async play(stage) {
      // A key that was revoked on purpose has a check of its own.
      const faulty = stage.world.gateway.requests.filter(({ fault }) => fault !== null && fault !== 'revoked_key');
      const named = faulty.slice(0, MOST_NAMED).map(({ method, path, fault }) => `${method} ${path} (${fault})`);
      stage.must(faulty.length === 0, 'no request with a fault', `${faulty.length}: ${named.join(', ')}`);
      noteCount(stage);
    },
  },
  {
    id: 'requests-repeated-as-they-were',
    title: 'A repeated request has the same Idempotency-Key and the same bytes',
    played: 'The gateway compares all creations of the run that have one external_id, and all that have one key.',
    mustHold: 'One external_id goes with one key and one body, and one key with one external_id.',
    why: 'The key is what makes a repeat safe. Under a second key, or with another body, it is another payment.',
    guide: 'repetition',
    when: 'last',
    async play(stage) {
      const creations = stage.world.gateway.requests.filter(({ asksFor }) => asksFor !== null);
      const byOrder = groupedBy(creations, orderOf);
      for (const [order, sent] of byOrder) {
        mustBeOne(
          stage,
          `one Idempotency-Key for ${order}`,
          sent.map(({ idempotencyKey }) => idempotencyKey),
        );
        mustBeOne(
          stage,
          `one body for ${order}`,
          sent.map(({ bodySha256 }) => bodySha256),
        );
      }
      const byKey = groupedBy(creations, ({ idempotencyKey }) => idempotencyKey ?? '');
      for (const [key, sent] of byKey) mustBeOne(stage, `one order under the key ${key}`, sent.map(orderOf));
      noteCount(stage);
    },
  },
];

function orderOf({ asksFor }: SeenRequest): string {
  return `${asksFor?.kind} ${asksFor?.externalId}`;
}

function groupedBy(
  requests: readonly SeenRequest[],
  key: (request: SeenRequest) => string,
): Map<string, SeenRequest[]> {
  const groups = new Map<string, SeenRequest[]>();
  for (const request of requests) groups.set(key(request), [...(groups.get(key(request)) ?? []), request]);
  return groups;
}

function mustBeOne(stage: Stage, expected: string, values: readonly SeenRequest['idempotencyKey'][]): void {
  const count = new Set(values).size;
  stage.must(count === 1, expected, `${count} in ${values.length} requests`);
}

function noteCount(stage: Stage): void {
  stage.note(`looks at ${stage.world.gateway.requests.length} requests`);
}
