// The person and the secrets that a campaign plants: each text is made up for one run and occurs nowhere else.
import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { generateCpf } from '@brazilian-utils/brazilian-utils';
import type { TestPlayer } from '../../harness/payments.js';
import type { Environment } from '../environment/environment.js';
import type { Canary } from '../environment/search/spellings.js';

/** A player with every field that the interface takes. */
export interface PlantedPlayer extends TestPlayer {
  readonly name: string;
  readonly email: string;
  readonly device_id: string;
  readonly kyc_level: string;
}

export interface PlantedData {
  readonly player: PlantedPlayer;
  /** The document of somebody else, who pays for the player. */
  readonly payerNumber: string;
  readonly keys: Readonly<Record<'email' | 'phone' | 'random', string>>;
  readonly metadata: Readonly<Record<string, string>>;
  /** The operator's own texts on a withdrawal. */
  readonly reason: string;
  readonly canaries: readonly Canary[];
}

/** A person and everything about them, all of it new. */
export function plantPerson(): PlantedData {
  const mark = randomBytes(5).toString('hex');
  const number = generateCpf();
  const payerNumber = generateCpf();
  const player = {
    external_ref: `player-${randomUUID()}`,
    document: { type: 'CPF', number, country: 'BR' },
    ip: `203.0.113.${randomInt(100, 255)}`,
    name: `Zuleica Canário Quaresma ${mark}`,
    email: `zuleica.${mark}@quaresma.test`,
    device_id: `device-${mark}-${mark}`,
    kyc_level: `level-of-${mark}`,
  } as const;
  const keys = {
    email: `pix.${mark}@quaresma.test`,
    phone: `+55119${randomInt(10_000_000, 99_999_999)}`,
    random: randomUUID(),
  };
  const metadata = { note: `a note on ${mark}`, [`key-${mark}`]: 'a key of metadata' };
  const reason = `razão do operador ${mark}`;
  const canaries: Canary[] = [
    document('the player’s CPF', number),
    document('the payer’s CPF', payerNumber),
    { name: 'the player’s name', text: player.name },
    { name: 'the player’s e-mail', text: player.email },
    { name: 'the player’s address', text: player.ip },
    { name: 'the player’s device', text: player.device_id },
    { name: 'the player’s kyc_level', text: player.kyc_level },
    { name: 'a PIX key (e-mail)', text: keys.email },
    { name: 'a PIX key (phone)', text: keys.phone },
    { name: 'a PIX key (random)', text: keys.random },
    { name: 'a metadata value', text: metadata.note },
    { name: 'a metadata key', text: `key-${mark}` },
    { name: 'the operator’s reason', text: reason },
  ];
  return { player, payerNumber, keys, metadata, reason, canaries };
}

function document(name: string, number: string): Canary {
  const dotted = number.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4');
  return { name, text: number, alsoWritten: [dotted, dotted.replaceAll('.', ''), dotted.slice(0, 11)] };
}

const SECRET_VARIABLES =
  /^(?:PROVIDER_\w+_(?:CLIENT_SECRET|CALLBACK_SECRET)|GATEWAY_HASH_KEY|GATEWAY_AUDIT_(?:SEALS_SECRET_)?KEY|GATEWAY_SEALING_KEYS)$/;

/** Every secret that the processes were given, and those of the operation. */
export function secretsOf({ commonVariables, operator, servers }: Environment): Canary[] {
  const { secret, webhook_secret: webhookSecret } = operator.operation;
  const variables = Object.entries(commonVariables).filter(([name]) => SECRET_VARIABLES.test(name));
  return [
    { name: 'the API secret', text: secret },
    { name: 'the webhook secret', text: webhookSecret },
    { name: 'the database password', text: decodeURIComponent(new URL(servers.postgres.superuserUrl).password) },
    // Keys are base64 behind a name and a mark: what counts is the key.
    ...variables.map(([name, value]) => ({ name, text: value.slice(value.lastIndexOf(':') + 1) })),
  ];
}
