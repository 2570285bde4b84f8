// The addresses of the page.
import { createRootRoute, createRoute, createRouter, Link, Navigate } from '@tanstack/react-router';
import { AlertsPage } from '../pages/alerts/alerts.js';
import { ApprovalsPage } from '../pages/approvals/approvals.js';
import { AuditPage } from '../pages/audit/audit.js';
import { CasePage } from '../pages/case/case.js';
import { AccessPage } from '../pages/configuration/access.js';
import { MoneyPage } from '../pages/configuration/money.js';
import { RulesPage } from '../pages/configuration/rules.js';
import { WebhooksPage } from '../pages/webhooks/webhooks.js';
import { IntegrationPage } from '../pages/integration/integration.js';
import { PaymentPage } from '../pages/payment/payment.js';
import { PaymentsPage } from '../pages/payments/payments.js';
import { PlayerPage } from '../pages/players/player.js';
import { QuestionsPage } from '../pages/questions/questions.js';
import { QueuePage } from '../pages/queue/queue.js';
import { RuleChangePage } from '../pages/rule-changes/change.js';
import { SearchPage } from '../pages/search/search.js';
import { PasskeysPage } from '../pages/session/passkeys.js';
import { SignInPage } from '../pages/session/sign-in.js';
import { ShiftPage } from '../pages/shift/shift.js';
import { StaffPage } from '../pages/staff/staff.js';
import { useTexts } from '../preferences.js';
import { Empty } from '../ui/states.js';
import { shellTexts } from '../texts/shell.js';
import {
  alertFilters,
  auditFilters,
  callFilters,
  operationFilter,
  parseSearch,
  paymentFilters,
  queueFilters,
  rulesFilters,
  shiftFilters,
  webhookFilters,
  writeSearch,
} from './search.js';
import { useSession } from '../api/session.js';
import { firstPage } from './pages.js';
import { Gate } from './shell.js';

const root = createRootRoute({ notFoundComponent: NowhereAtAll });
const signIn = createRoute({ getParentRoute: () => root, path: '/sign-in', component: SignInPage });
/** Everything behind the sign-in. */
const gate = createRoute({ getParentRoute: () => root, id: 'gate', component: Gate, notFoundComponent: NotFound });
const page = { getParentRoute: () => gate } as const;

const home = createRoute({
  ...page,
  path: '/',
  component: Home,
});
const queue = createRoute({ ...page, path: '/queue', validateSearch: queueFilters, component: QueuePage });
const oneCase = createRoute({ ...page, path: '/cases/$id', validateSearch: queueFilters, component: CasePage });
const shift = createRoute({ ...page, path: '/shift', validateSearch: shiftFilters, component: ShiftPage });
const payment = createRoute({ ...page, path: '/payments/$id', component: PaymentPage });
const payments = createRoute({ ...page, path: '/payments', validateSearch: paymentFilters, component: PaymentsPage });
const player = createRoute({ ...page, path: '/players/$operation/$ref', component: PlayerPage });
const search = createRoute({ ...page, path: '/search', component: SearchPage });
const approvals = createRoute({ ...page, path: '/approvals', component: ApprovalsPage });
const alerts = createRoute({ ...page, path: '/alerts', validateSearch: alertFilters, component: AlertsPage });
const rules = createRoute({ ...page, path: '/rules', validateSearch: rulesFilters, component: RulesPage });
const ruleChange = createRoute({ ...page, path: '/rule-changes/$id', component: RuleChangePage });
const access = createRoute({ ...page, path: '/access', validateSearch: operationFilter, component: AccessPage });
const money = createRoute({ ...page, path: '/money', validateSearch: operationFilter, component: MoneyPage });
const webhooks = createRoute({ ...page, path: '/webhooks', validateSearch: webhookFilters, component: WebhooksPage });
const integration = createRoute({
  ...page,
  path: '/integration',
  validateSearch: callFilters,
  component: IntegrationPage,
});
const questions = createRoute({ ...page, path: '/questions', component: QuestionsPage });
const staff = createRoute({ ...page, path: '/staff', component: StaffPage });
const audit = createRoute({ ...page, path: '/audit', validateSearch: auditFilters, component: AuditPage });

const passkeys = createRoute({ ...page, path: '/passkeys', component: PasskeysPage });

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    gate.addChildren([
      home,
      queue,
      shift,
      oneCase,
      payment,
      payments,
      player,
      search,
      approvals,
      alerts,
      rules,
      ruleChange,
      access,
      money,
      webhooks,
      integration,
      questions,
      staff,
      audit,
      passkeys,
    ]),
  ]),
  parseSearch,
  stringifySearch: writeSearch,
  // The page's own links are few and near: nothing is loaded ahead.
  defaultPreload: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

function Home() {
  return <Navigate to={firstPage(useSession())} replace />;
}

/** Outside the shell: people who are not signed in see it too. */
function NowhereAtAll() {
  return (
    <main className="content">
      <NotFound />
    </main>
  );
}

function NotFound() {
  const { notFound: texts } = useTexts(shellTexts);
  return (
    <Empty title={texts.title} text={texts.text} isPage>
      <Link to="/" className="button">
        {texts.back}
      </Link>
    </Empty>
  );
}
