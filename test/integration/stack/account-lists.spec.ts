// What a bank's account lists, through the whole gateway: received PIX, sent payouts and disputed payments. One gateway
// a dialect, as starting one costs more than the tests.
import { useAccount } from './account-lists/account.js';
import { disputedPayments } from './account-lists/disputes.js';
import { receivedPayments } from './account-lists/received-payments.js';
import { sentPayouts } from './account-lists/sent-payouts.js';

for (const dialect of ['efi', 'woovi'] as const)
  describe(`what the account lists: ${dialect}`, function () {
    this.timeout(120_000);
    const account = useAccount(dialect);
    // Neither makes anything that the other one's lists show.
    sentPayouts(dialect, account);
    disputedPayments(dialect, account);
  });

// At Woovi and a bank of the standard they are in CI: account-sweep.spec.ts.
for (const dialect of ['simulator', 'efi'] as const)
  describe(`what the account received: ${dialect}`, function () {
    this.timeout(120_000);
    receivedPayments(dialect, useAccount(dialect));
  });
