// Creation checks 3, 4, 6, 6b and the provider's part of 7, as data in the specification's order. Checks 1 and 2 belong
// to the request pipeline; 5, 8 and the rest of 7 to the workflow. Check 5 (duplicate external_id) is a constraint met
// when the workflow inserts the row, so a later check looks for a duplicate before it refuses.
import { type FieldError, type Problem, problem } from '../../contract/http/errors.js';
import { fieldError } from '../../contract/http/validation.js';
import { EMAIL_FORMAT, EMAIL_MAX_LENGTH, hasReservedDomain, isEmail } from '../../contract/http/schemas/email.js';
import { PLAYER_NAME_MAX_LENGTH } from '../../contract/http/schemas/player.js';
import { enabledCurrency, type Method } from '../../domain/currencies.js';
import { isUsableForPix, type TaxDocument } from '../../domain/documents.js';
import { parseAmountMinor } from '../../domain/money.js';
import type { AccountLimits, DepositRequirement, ProviderTraits } from '../../providers/port.js';

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
