// What refuses a creation before its workflow. Checks 3, 4, 6, 6b and the provider's part of 7 are data in the
// specification's order; check 2 are the hourly limits per player, which the request pipeline counts. 5, 8 and the rest
// of 7 belong to the workflow. Check 5 (duplicate external_id) is a constraint met when the workflow inserts the row,
// so a later check looks for a duplicate before it refuses.
import { type FieldError, type Problem, problem } from '../../contract/http/errors.js';
import { fieldError } from '../../contract/http/validation.js';
import {
  EMAIL_FORMAT,
  EMAIL_MAX_LENGTH,
  hasReservedDomain,
  isEmail,
  PLAYER_NAME_MAX_LENGTH,
  HOURLY_LIMITS,
  type HourlyLimits,
} from '../../contract/http/schemas/player.js';
import { enabledCurrency, type Method } from '../../domain/currencies.js';
import { isUsableForPix, type TaxDocument } from '../../domain/documents.js';
import { parseAmountMinor } from '../../domain/money.js';
import type { AccountLimits, DepositRequirement, ProviderTraits } from '../../providers/port.js';
import type { CreateWithdrawalBody } from '../../contract/http/schemas/withdrawals.js';
import { isDirectoryKey, normalizePixKey } from '../../domain/pix.js';
import type { CreateDepositBody } from '../../contract/http/schemas/deposits.js';
import type { PlayerLimit } from '../middleware/request.js';

/** The fields that both creation bodies share. */
export interface CreationBody {
  readonly method: Method;
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly player: {
    readonly document: TaxDocument;
    readonly name?: string | undefined;
    readonly email?: string | undefined;
    readonly ip?: string | undefined;
    readonly device_id?: string | undefined;
  };
}

export interface CreationContext {
  readonly environment: 'sandbox' | 'production';
  /** What the account at the provider needs, sends and takes. */
  readonly traits: Pick<ProviderTraits, 'depositRequirements' | 'sendsPayouts' | 'limits'>;
}

export interface CreationCheck {
  /** Its number in the specification's table. */
  readonly step: '3' | '4' | '6' | '6b' | '7';
  /** A duplicate external_id answers before this check's refusal. */
  readonly afterDuplicate: boolean;
  readonly refuse: (body: CreationBody, context: CreationContext) => Problem | null;
}

const methodEnabled: CreationCheck = {
  step: '3',
  afterDuplicate: false,
  refuse: ({ method }) => (method === 'pix' ? null : problem('method_not_enabled')),
};

const documentUsable: CreationCheck = {
  step: '4',
  afterDuplicate: false,
  refuse: ({ player }) => (isUsableForPix(player.document) ? null : problem('document_invalid')),
};

const currencyEnabled: CreationCheck = {
  step: '6',
  afterDuplicate: true,
  refuse: ({ amount, method }) => {
    const currency = enabledCurrency(amount.currency);
    if (currency === undefined) return problem('currency_not_enabled');
    return currency.methods.includes(method) ? null : problem('method_not_enabled');
  },
};

/** Some banks only receive for their customers' programs. */
const payoutsSent: CreationCheck = {
  step: '6',
  afterDuplicate: true,
  refuse: (_, { traits }) => (traits.sendsPayouts ? null : problem('method_not_enabled')),
};

const operationRequirements: CreationCheck = {
  step: '6b',
  afterDuplicate: true,
  refuse: ({ player }, context) =>
    refusal([...missing(player, context), ...emailErrors(player, context), ...nameErrors(player)]),
};

/** On withdrawals the schema checks form and length; only the domain depends on the environment. */
const reservedEmailDomain: CreationCheck = {
  step: '6b',
  afterDuplicate: true,
  refuse: ({ player }, context) => refusal(emailErrors(player, context)),
};

/** What the account's bank would refuse. The operation's own limits, in its rule set, are the rules engine's. */
function amountTaken(kind: keyof AccountLimits): CreationCheck {
  return {
    step: '7',
    afterDuplicate: true,
    refuse: ({ amount }, { traits }) => {
      const amountMinor = parseAmountMinor(amount.amount);
      const { minMinor, maxMinor } = traits.limits[kind];
      if (minMinor !== null && amountMinor < minMinor) return problem('amount_below_minimum');
      return maxMinor !== null && amountMinor > maxMinor ? problem('amount_above_maximum') : null;
    },
  };
}

export const DEPOSIT_CHECKS: readonly CreationCheck[] = [
  methodEnabled,
  documentUsable,
  currencyEnabled,
  operationRequirements,
  amountTaken('deposit'),
];
export const WITHDRAWAL_CHECKS: readonly CreationCheck[] = [
  methodEnabled,
  documentUsable,
  currencyEnabled,
  payoutsSent,
  reservedEmailDomain,
  amountTaken('withdrawal'),
];

/** The first check that refuses, and whether a duplicate answers before it; null if all pass. */
export function firstRefusal(
  checks: readonly CreationCheck[],
  body: CreationBody,
  context: CreationContext,
): { problem: Problem; afterDuplicate: boolean } | null {
  for (const check of checks) {
    const refused = check.refuse(body, context);
    if (refused !== null) return { problem: refused, afterDuplicate: check.afterDuplicate };
  }
  return null;
}

type Player = CreationBody['player'];

function refusal(errors: readonly FieldError[]): Problem | null {
  return errors.length === 0 ? null : problem('validation_failed', { errors });
}

function missing(player: Player, { traits }: CreationContext): FieldError[] {
  const values: Readonly<Record<DepositRequirement, string | undefined>> = {
    'player.name': player.name,
    'player.email': player.email,
    'player.ip': player.ip,
    'player.device_id': player.device_id,
  };
  return traits.depositRequirements
    .filter((field) => (values[field] ?? '').trim() === '')
    .map((field) => fieldError(field, 'required_by_operation'));
}

/** At most one error: a required e-mail of only spaces is reported as missing already. */
function emailErrors({ email }: Player, { environment, traits }: CreationContext): FieldError[] {
  if (email === undefined || (email.trim() === '' && traits.depositRequirements.includes('player.email'))) return [];
  if (email.length > EMAIL_MAX_LENGTH)
    return [fieldError('player.email', 'max_length', `must have at most ${EMAIL_MAX_LENGTH} characters`)];
  if (!isEmail(email)) return [fieldError('player.email', 'format', EMAIL_FORMAT)];
  if (environment === 'production' || hasReservedDomain(email)) return [];
  return [
    fieldError(
      'player.email',
      'reserved_domain_required',
      'outside production the domain must end in .test, .invalid or .example',
    ),
  ];
}

function nameErrors({ name }: Player): FieldError[] {
  if (name === undefined || [...name].length <= PLAYER_NAME_MAX_LENGTH) return [];
  return [fieldError('player.name', 'max_length', `must have at most ${PLAYER_NAME_MAX_LENGTH} characters`)];
}

const PLAYER = 'The first payment with this `player.external_ref` had another document.';
const KEY = 'The PIX key is not the player’s document.';
const EITHER =
  'The PIX key belongs to somebody other than the player, or the first payment with this `player.external_ref` had ' +
  'another document.';

/** The refusal of a deposit: only the player's document is compared. */
export function explainedDepositRefusal(refusal: Problem): Problem {
  return explained(refusal, () => PLAYER);
}

/** The refusal of a withdrawal. Who holds an e-mail, phone or random key stays between the gateway and the directory. */
export function explainedWithdrawalRefusal(refusal: Problem, { player, destination }: CreateWithdrawalBody): Problem {
  return explained(refusal, () => {
    const { pix } = destination;
    if (pix === undefined || isDirectoryKey(pix.key_type)) return EITHER;
    return normalizePixKey(pix.key_type, pix.key) === player.document.number ? PLAYER : KEY;
  });
}

function explained(refusal: Problem, detail: () => string): Problem {
  return refusal.code === 'document_mismatch' ? problem(refusal.code, { detail: detail() }) : refusal;
}

export const COUNTED: Readonly<Record<keyof HourlyLimits, string>> = {
  deposits: 'Deposits created for one player',
  withdrawals: 'Withdrawals requested for one player',
};

/** By route: the bucket that a valid body counts against, and its limit in a sliding hour. */
export function playerLimits({ deposits, withdrawals }: HourlyLimits = HOURLY_LIMITS) {
  return {
    createDeposit: ({ player }: CreateDepositBody, operationId: string) => ({
      bucket: `${operationId}:deposit:${player.external_ref}`,
      limit: deposits,
      what: COUNTED.deposits,
      countedRefusals: [],
    }),
    createWithdrawal: ({ player, destination }: CreateWithdrawalBody, operationId: string) => ({
      bucket: `${operationId}:withdrawal:${player.external_ref}`,
      limit: withdrawals,
      what: COUNTED.withdrawals,
      // With a directory key the mismatch can come from DICT. It counts, so that key owners cannot be probed freely.
      countedRefusals:
        destination.pix !== undefined && isDirectoryKey(destination.pix.key_type) ? ['document_mismatch'] : [],
    }),
  } as const satisfies Record<string, (body: never, operationId: string) => PlayerLimit>;
}
