// Received PIX of an account, at the two kinds of lists that banks have: Woovi's and the standard's. Those of the
// sandbox and of Efí, which are the standard's too: account-lists.spec.ts.
import { useAccount } from './account-lists/account.js';
import { receivedPayments } from './account-lists/received-payments.js';

for (const dialect of ['woovi', 'api-pix'] as const)
  describe(`the sweep of an account: ${dialect}`, function () {
    this.timeout(120_000);
    receivedPayments(dialect, useAccount(dialect));
  });
