// What a bank's account lists besides received PIX, through the whole gateway: sent payouts and disputed payments. One
// gateway a dialect, as starting one costs more than the tests.
import { useAccount } from './account-lists/account.js';
import { disputedPayments } from './account-lists/disputes.js';
import { sentPayouts } from './account-lists/sent-payouts.js';

for (const dialect of ['efi', 'woovi'] as const)
  describe(`what the account lists: ${dialect}`, function () {
    this.timeout(120_000);
    const account = useAccount(dialect);
    // Neither makes anything that the other one's lists show.
    sentPayouts(dialect, account);
    disputedPayments(dialect, account);
  });
