// The filters of the queue. They are part of the address, so that a filtered queue can be bookmarked and shared.
import { getRouteApi } from '@tanstack/react-router';
import type { ReasonCode } from '../../../../domain/rules/reason-sentences.js';
import { QUEUE_SORTS, QUEUE_WORK, type QueueFilters } from '../../app/search.js';
import { useTexts } from '../../preferences.js';
import { type FilterProps, OperationFilter } from '../../ui/operation-filter.js';
import { useMoney } from '../../ui/money.js';
import { commonTexts } from '../../texts/common.js';
import { queueTexts } from '../../texts/queue.js';
import { reasonText, reasonTexts } from '../../texts/reasons.js';
import { workTexts } from '../../texts/work.js';

const route = getRouteApi('/gate/queue');

/** Ready steps of the least amount, in minor units. */
const LEAST_AMOUNTS = ['10000', '50000', '100000', '500000', '1000000'];

export function QueueFilterBar() {
  const texts = useTexts(queueTexts);
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const set = (changed: { readonly [Name in keyof QueueFilters]?: string }) =>
    void navigate({
      search: (before) =>
        Object.fromEntries(Object.entries({ ...before, ...changed }).filter(([, value]) => value !== '')),
      replace: true,
    });
  return (
    <form className="filters" aria-label={texts.filters} onSubmit={(event) => event.preventDefault()}>
      <OperationFilter value={filters.operation ?? ''} onChange={(operation) => set({ operation })} />
      <KindFilter value={filters.kind ?? ''} onChange={(kind) => set({ kind })} />
      <ReasonFilter value={filters.reason ?? ''} onChange={(reason) => set({ reason })} />
      <WorkFilter value={filters.work ?? ''} onChange={(work) => set({ work })} />
      <AmountFilter value={filters.min_amount ?? ''} onChange={(min_amount) => set({ min_amount })} />
      <label>
        {texts.sort}
        <select
          value={filters.sort ?? 'urgency'}
          onChange={({ target }) => set({ sort: target.value === 'urgency' ? '' : target.value })}
        >
          {QUEUE_SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {texts.sorts[sort]}
            </option>
          ))}
        </select>
      </label>
      {Object.keys(filters).length > 0 && (
        <button type="button" className="button-quiet" onClick={() => void navigate({ search: {}, replace: true })}>
          {texts.clear}
        </button>
      )}
    </form>
  );
}

function KindFilter({ value, onChange }: FilterProps) {
  const texts = useTexts(queueTexts);
  const { kinds, all } = useTexts(commonTexts);
  return (
    <label>
      {texts.kind}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{all}</option>
        <option value="deposit">{kinds.deposit}</option>
        <option value="withdrawal">{kinds.withdrawal}</option>
      </select>
    </label>
  );
}

function ReasonFilter({ value, onChange }: FilterProps) {
  const texts = useTexts(queueTexts);
  const { all } = useTexts(commonTexts);
  const reasons = useTexts(reasonTexts);
  const codes = Object.keys(reasons.reasons) as ReasonCode[];
  const byLabel = codes.toSorted((a, b) => reasons.reasons[a].label.localeCompare(reasons.reasons[b].label));
  return (
    <label>
      {texts.reason}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{all}</option>
        {byLabel.map((code) => (
          <option key={code} value={code}>
            {reasonText(reasons, code).label}
          </option>
        ))}
      </select>
    </label>
  );
}

function WorkFilter({ value, onChange }: FilterProps) {
  const { filter, filters } = useTexts(workTexts);
  return (
    <label>
      {filter}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {(['', ...QUEUE_WORK] as const).map((work) => (
          <option key={work} value={work}>
            {filters[work]}
          </option>
        ))}
      </select>
    </label>
  );
}

function AmountFilter({ value, onChange }: FilterProps) {
  const texts = useTexts(queueTexts);
  const { all } = useTexts(commonTexts);
  const money = useMoney();
  const amounts = value === '' || LEAST_AMOUNTS.includes(value) ? LEAST_AMOUNTS : [value, ...LEAST_AMOUNTS];
  return (
    <label>
      {texts.leastAmount}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{all}</option>
        {amounts.map((amount) => (
          <option key={amount} value={amount}>
            {money({ amount, currency: 'BRL' })}
          </option>
        ))}
      </select>
    </label>
  );
}
