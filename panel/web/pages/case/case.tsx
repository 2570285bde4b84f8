// One screen for one case: everything that a person needs to judge it, and the decision.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { caseExportAddress } from '../../api/client.js';
import { read } from '../../api/queries.js';
import { useSession } from '../../api/session.js';
import { useTexts } from '../../preferences.js';
import { Copyable } from '../../ui/copyable.js';
import { Section } from '../../ui/facts.js';
import { Money, useMoney } from '../../ui/money.js';
import { Loaded } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Age, Instant } from '../../ui/time.js';
import { useTitle } from '../../ui/title.js';
import { TwoColumns } from '../../ui/two-columns.js';
import { useOperationName } from '../../ui/operation-name.js';
import { caseTexts } from '../../texts/case.js';
import { commonTexts } from '../../texts/common.js';
import { Due } from '../queue/table.js';
import { useClaim } from './claim.js';
import { DecisionPanel } from './decision-panel.js';
import { Destination, OtherUses, PayerAgainstPlayer, PlayerFields } from './people.js';
import { EarlierDecisions, MoneyInAndOut, PlayerHistory } from './history.js';
import { LinkedPlayers } from './linked.js';
import { ReasonList } from './reasons.js';
import { RuleDecisions, WhatWouldHavePassed } from './rule-decisions.js';
import { Told } from './told.js';
import { Warnings } from './warnings.js';
import type { CaseProps } from './types.js';
import { CaseWork } from './work.js';

const route = getRouteApi('/gate/cases/$id');

/** A first of two approvals and a claim are no events, so the stream does not report them. */
const READ_EVERY_MS = 15_000;

export function CasePage() {
  const { id } = route.useParams();
  // People must not decide on stale data.
  const query = useQuery({ ...read('readCase', { params: { id } }), gcTime: 0, refetchInterval: READ_EVERY_MS });
  // Another case is another page: nothing of the last one stays.
  return (
    <Loaded query={query} lines={14}>
      {(found) => <CaseScreen key={id} case={found} />}
    </Loaded>
  );
}

function CaseScreen({ case: shown }: CaseProps) {
  const { amount, operation } = shown;
  const zone = operation.time_zone;
  return (
    <>
      <Head case={shown} />
      <TwoColumns first={<Grounds case={shown} />} side={<DecisionPanel case={shown} />}>
        <CaseWork case={shown} />
        <PlayerHistory case={shown} />
        <OtherUses case={shown} />
        <RuleDecisions decisions={shown.decisions} currency={amount.currency} zone={zone} />
      </TwoColumns>
    </>
  );
}

/** What decides the case, on one screen of a laptop: why it waits, where the money goes, who asks, what was before. */
function Grounds({ case: shown }: CaseProps) {
  const texts = useTexts(caseTexts);
  const { amount, operation, reasons } = shown;
  return (
    <div className="grounds">
      <div className="sections">
        <Section title={shown.status === 'under_review' ? texts.why : texts.whyWaited}>
          <Warnings case={shown} />
          <ReasonList reasons={reasons} currency={amount.currency} zone={operation.time_zone} />
          <WhatWouldHavePassed case={shown} />
        </Section>
        <PayerAgainstPlayer case={shown} />
        <Destination case={shown} />
        <LinkedPlayers linked={shown.player.linked} operationId={operation.id} />
        <EarlierDecisions earlier={shown.earlier_decisions} title={texts.earlier} />
      </div>
      <div className="sections">
        <PlayerFields case={shown} />
        <MoneyInAndOut case={shown} />
        <Told told={shown.told} zone={operation.time_zone} />
      </div>
    </div>
  );
}

function Head({ case: shown }: CaseProps) {
  const texts = useTexts(caseTexts);
  const { kinds } = useTexts(commonTexts);
  const operationName = useOperationName();
  const money = useMoney();
  const filters = route.useSearch();
  const { id, kind, amount, paid_amount: paid, operation, external_id: externalId } = shown;
  const title = texts.title(kinds[kind], money(amount));
  useTitle(title);
  return (
    <header className="page-head case-head">
      <p className="quiet">
        <Link to="/queue" search={filters}>
          ← {texts.toQueue}
        </Link>{' '}
        · {operationName(operation)} ·{' '}
        <a href={caseExportAddress({ params: { id } })} title={texts.exportText} download>
          {texts.export}
        </a>
      </p>
      <h1>{title}</h1>
      <div className="case-line">
        <Status of={shown.status} />
        {paid !== null && paid.amount !== amount.amount && (
          <span className="chip chip-bad">
            {texts.paidInstead}: <Money of={paid} />
          </span>
        )}
        {shown.status === 'under_review' && shown.since !== null && shown.decide_by !== null && (
          <Due since={shown.since} decideBy={shown.decide_by} />
        )}
        <Claim case={shown} />
      </div>
      <p className="quiet ids">
        <Copyable text={id} /> <Copyable text={externalId} />{' '}
        <span>
          <Instant at={shown.created_at} zone={operation.time_zone} /> · <Age since={shown.created_at} />
        </span>{' '}
        <Link to="/payments/$id" params={{ id }}>
          {texts.payment}
        </Link>
      </p>
    </header>
  );
}

function Claim({ case: shown }: CaseProps) {
  const texts = useTexts(caseTexts);
  const { handle } = useSession();
  const claim = useClaim(shown);
  if (claim === null) return null;
  if (claim.person === handle) return <span className="quiet">{texts.claimedByYou}</span>;
  return (
    <span className="chip chip-wait">
      {texts.claimedBy(claim.person)}, {texts.until} <Instant at={claim.until} zone={shown.operation.time_zone} />
    </span>
  );
}
