// One address for each page of the panel, with something to show on it.
import { alertOf } from '../../domain/alert-records.js';
import { insertPlayer } from '../integration/cli/payments.js';
import type { BrowserWorld } from './panel-world.js';

/** What a hostile operator writes as its own reason. */
const HOSTILE = '<img src=x onerror=alert(1)>';

/** The address of each page, by its name. */
export async function everyPage(world: BrowserWorld): Promise<Readonly<Record<PageName, string>>> {
  const withdrawal = await world.withdrawal(['FIRST_WITHDRAWAL', 'DUAL_APPROVAL_REQUIRED', HOSTILE], '123456');
  const deposit = await world.deposit();
  await insertPlayer(world.gateway, world.operationId);
  const extra = alertOf('EXTRA_PAYMENT', 'paid', { payment: deposit, bankId: 'E2', status: 'expired' });
  await world.gateway.rows(
    `INSERT INTO alert (id, kind, operation_id, object_id, detail, created_at)
     VALUES ('alr_page', $3, $1, $2, $4, now())`,
    ...[world.operationId, deposit, extra.kind, extra.detail],
  );
  const funding = {
    movement: 'funding',
    amount: { amount: '500000', currency: 'BRL' },
    provider: 'a',
    to_provider: null,
    document: 'slip 4711',
    reason: 'as agreed',
  };
  await world.gateway.rows(
    `INSERT INTO approval_request (id, operation_id, kind, payload, requested_by)
     VALUES ('apr_cash', $1, 'cash_movement', $2, 'paulo')`,
    ...[world.operationId, JSON.stringify(funding)],
  );
  return {
    queue: '/queue',
    'filtered queue': '/queue?kind=deposit&sort=amount&min_amount=99999999',
    'case of a withdrawal': `/cases/${withdrawal}`,
    'case of a deposit': `/cases/${deposit}`,
    shift: '/shift',
    payment: `/payments/${deposit}`,
    payments: '/payments',
    'filtered payments': '/payments?kind=deposit&min_amount=99999999',
    player: `/players/${world.operationId}/player-1`,
    'change of rules': `/rule-changes/${await world.ruleChange()}`,
    search: '/search',
    approvals: '/approvals',
    alerts: '/alerts',
    rules: '/rules',
    access: '/access',
    money: '/money',
    webhooks: '/webhooks',
    'webhooks with their log': `/webhooks?operation=${world.operationId}&log=open`,
    integration: '/integration',
    // Staff hold no role for it: test/browser/operator-desk.spec.ts looks at it with something to show.
    questions: '/questions',
    staff: '/staff',
    audit: '/audit',
    passkeys: '/passkeys',
    'a payment that is not there': `/payments/dep_${'0'.repeat(32)}`,
    'an address that is not there': '/nowhere',
  };
}

export type PageName =
  | 'queue'
  | 'filtered queue'
  | 'case of a withdrawal'
  | 'case of a deposit'
  | 'shift'
  | 'payment'
  | 'payments'
  | 'filtered payments'
  | 'player'
  | 'change of rules'
  | 'search'
  | 'approvals'
  | 'alerts'
  | 'rules'
  | 'access'
  | 'money'
  | 'webhooks'
  | 'webhooks with their log'
  | 'integration'
  | 'questions'
  | 'staff'
  | 'audit'
  | 'passkeys'
  | 'a payment that is not there'
  | 'an address that is not there';
