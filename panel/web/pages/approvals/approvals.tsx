// The inbox of requests that take two people. One's own are there too, with the reason why they cannot be approved.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { readList } from '../../api/queries.js';
import { useTexts } from '../../preferences.js';
import { ActButton } from '../../ui/act-button.js';
import { MorePages, usePages } from '../../ui/more-pages.js';
import { useRowKeys } from '../../ui/row-keys.js';
import { Empty, Loaded } from '../../ui/states.js';
import { Age, Instant } from '../../ui/time.js';
import { useZones } from '../../ui/zones.js';
import { useTitle } from '../../ui/title.js';
import { useOperationName } from '../../ui/operation-name.js';
import { approvalTexts } from '../../texts/approvals.js';
import { PendingRuleChanges } from '../rule-changes/pending.js';
import { RequestContent } from './request-content.js';
import { type NewKeyAnswer, NewKey } from '../../ui/new-key.js';
import { RequestDialog } from './request-dialog.js';
import type { Approval } from './types.js';
import { PendingWriteOffs } from './write-offs.js';

export function ApprovalsPage() {
  const texts = useTexts(approvalTexts);
  useTitle(texts.title);
  const { cursors, showMore } = usePages('');
  const page = useRef<HTMLDivElement>(null);
  useRowKeys(page);
  const [key, setKey] = useState<NewKeyAnswer | null>(null);
  const changes = useQuery(readList('readRuleChanges', {}));
  const lost = useQuery(readList('readWriteOffs', {}));
  const first = useQuery(readList('readApprovals', { query: {} }));
  return (
    <div className="sections" ref={page}>
      <header className="page-head">
        <h1>{texts.title}</h1>
        <p className="quiet">{texts.intro}</p>
      </header>
      <PendingRuleChanges />
      <PendingWriteOffs />
      <Loaded query={first}>
        {(page) =>
          page.items.length === 0 ? (
            changes.data?.items.length === 0 &&
            lost.data?.items.length === 0 && <Empty title={texts.empty} text={texts.emptyText} />
          ) : (
            <MorePages name="readApprovals" request={{ query: {} }} first={page} cursors={cursors} onMore={showMore}>
              {(items) => (
                <ul className="cards">
                  {items.map((request) => (
                    <RequestCard key={request.id} request={request} onKey={setKey} />
                  ))}
                </ul>
              )}
            </MorePages>
          )
        }
      </Loaded>
      {key !== null && <NewKey created={key} onClose={() => setKey(null)} />}
    </div>
  );
}

interface RequestCardProps {
  readonly request: Approval;
  readonly onKey: (created: NewKeyAnswer) => void;
}

function RequestCard({ request, onKey }: RequestCardProps) {
  const texts = useTexts(approvalTexts);
  const operationName = useOperationName();
  const zoneOf = useZones();
  const [deciding, setDeciding] = useState<'approve' | 'reject' | null>(null);
  const { kind, operation, requested_by: by, requested_at: at, is_own: isOwn } = request;
  return (
    <li className={isOwn ? 'section section-own' : 'section'} data-row tabIndex={-1}>
      <header className="section-head">
        <h2>{texts.kinds[kind]}</h2>
        <span className="chips">
          {isOwn && <span className="chip chip-plain">{texts.own}</span>}
          <Age since={at} />
        </span>
      </header>
      <p className="quiet">
        {operationName(operation)} · {texts.by(by)} · <Instant at={at} zone={zoneOf(operation)} />
      </p>
      <div>
        <h3>{texts.content}</h3>
        <RequestContent request={request} />
      </div>
      <div className="buttons">
        <ActButton possibility={request.approve} tone="good" onAct={() => setDeciding('approve')}>
          {texts.approve}
        </ActButton>
        <ActButton possibility={request.reject} tone="bad" onAct={() => setDeciding('reject')}>
          {isOwn ? texts.withdraw : texts.reject}
        </ActButton>
      </div>
      {deciding !== null && (
        <RequestDialog request={request} decision={deciding} onKey={onKey} onClose={() => setDeciding(null)} />
      )}
    </li>
  );
}
