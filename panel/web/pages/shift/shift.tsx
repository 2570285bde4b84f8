// The figures of a shift: what people decided, how long it took, what was a mistake, and what waits.
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Answered } from '../../../../contract/panel/routes.js';
import { readList } from '../../api/queries.js';
import { SHIFT_HOURS, type ShiftFilters } from '../../app/search.js';
import { useTexts } from '../../preferences.js';
import { Section, TableBox, TableHead } from '../../ui/facts.js';
import { Money } from '../../ui/money.js';
import { OperationFilter } from '../../ui/operation-filter.js';
import { Loaded } from '../../ui/states.js';
import { Age, Instant, useDuration } from '../../ui/time.js';
import { useTitle } from '../../ui/title.js';
import { commonTexts } from '../../texts/common.js';
import { queueTexts } from '../../texts/queue.js';
import { reasonText, reasonTexts } from '../../texts/reasons.js';
import { shiftTexts } from '../../texts/shift.js';

type Shift = Answered<'readShift'>;

const route = getRouteApi('/gate/shift');
const READ_EVERY_MS = 30_000;

export function ShiftPage() {
  const texts = useTexts(shiftTexts);
  const filters = route.useSearch();
  useTitle(texts.title);
  const query = useQuery({ ...readList('readShift', { query: filters }), refetchInterval: READ_EVERY_MS });
  return (
    <>
      <header className="page-head">
        <h1>{texts.title}</h1>
      </header>
      <Filters />
      <Loaded query={query} lines={8}>
        {(shift) => (
          <div className="sections">
            <Waiting shift={shift} />
            <People of={shift.people} />
            <Reasons of={shift.reasons} operation={filters.operation} />
            <Flagged of={shift.flagged} />
          </div>
        )}
      </Loaded>
    </>
  );
}

function Filters() {
  const texts = useTexts(shiftTexts);
  const { filters: label } = useTexts(queueTexts);
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const set = (changed: Readonly<Record<string, string>>) =>
    void navigate({
      search: (before) =>
        Object.fromEntries(Object.entries({ ...before, ...changed }).filter(([, value]) => value !== '')),
      replace: true,
    });
  return (
    <form className="filters" aria-label={label} onSubmit={(event) => event.preventDefault()}>
      <label>
        {texts.hours}
        <select
          value={filters.hours ?? '8'}
          onChange={({ target }) => set({ hours: target.value === '8' ? '' : target.value })}
        >
          {SHIFT_HOURS.map((hours: NonNullable<ShiftFilters['hours']>) => (
            <option key={hours} value={hours}>
              {texts.spans[hours]}
            </option>
          ))}
        </select>
      </label>
      <OperationFilter value={filters.operation ?? ''} onChange={(operation) => set({ operation })} />
    </form>
  );
}

function Waiting({ shift: { waiting, overdue, since } }: { readonly shift: Shift }) {
  const texts = useTexts(shiftTexts);
  const queue = useTexts(queueTexts);
  return (
    <p>
      <Link to="/queue">{queue.waiting(waiting)}</Link>
      {overdue > 0 && <strong className="bad"> · {queue.overdue(overdue)}</strong>}
      <span className="quiet">
        {' '}
        · {texts.since.toLowerCase()} <Instant at={since} />
      </span>
    </p>
  );
}

function People({ of }: { readonly of: Shift['people'] }) {
  const texts = useTexts(shiftTexts);
  const time = useTime();
  const columns = [
    texts.person,
    texts.decided,
    texts.approved,
    texts.refused,
    texts.median,
    texts.overturned,
    texts.flagged,
  ];
  return (
    <Section title={texts.people}>
      {of.length === 0 ? (
        <p className="quiet">{texts.nobody}</p>
      ) : (
        <>
          <TableBox label={texts.people}>
            <TableHead of={columns} numbersFrom={1} />
            <tbody>
              {of.map(({ person, approved, refused, median_seconds: median, overturned, flagged }) => (
                <tr key={person}>
                  <th scope="row">{person}</th>
                  <Numbers of={[approved + refused, approved, refused, time(median), overturned, flagged]} />
                </tr>
              ))}
            </tbody>
          </TableBox>
          <p className="hint">{texts.overturnedHint}</p>
        </>
      )}
    </Section>
  );
}

interface ReasonsProps {
  readonly of: Shift['reasons'];
  readonly operation: string | undefined;
}

function Reasons({ of, operation }: ReasonsProps) {
  const texts = useTexts(shiftTexts);
  const reasons = useTexts(reasonTexts);
  const time = useTime();
  const columns = [texts.reason, texts.decided, texts.approved, texts.refused, texts.median, texts.waiting];
  return (
    <Section title={texts.reasons}>
      {of.length === 0 ? (
        <p className="quiet">{texts.noReasons}</p>
      ) : (
        <TableBox label={texts.reasons}>
          <TableHead of={columns} numbersFrom={1} />
          <tbody>
            {of.map(({ code, approved, refused, median_seconds: median, waiting }) => (
              <tr key={code}>
                <th scope="row">
                  <Link to="/queue" search={{ reason: code, ...(operation === undefined ? {} : { operation }) }}>
                    {reasonText(reasons, code).label}
                  </Link>
                </th>
                <Numbers of={[approved + refused, approved, refused, time(median), waiting]} />
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
    </Section>
  );
}

function Flagged({ of }: { readonly of: Shift['flagged'] }) {
  const texts = useTexts(shiftTexts);
  const { kinds } = useTexts(commonTexts);
  return (
    <Section title={texts.flagged}>
      {of.length === 0 ? (
        <p className="quiet">{texts.noFlags}</p>
      ) : (
        <TableBox label={texts.flagged}>
          <TableHead of={[texts.payment, texts.person, texts.when]} />
          <tbody>
            {of.map(({ payment_id: id, kind, amount, person, at }) => (
              <tr key={`${id} ${person} ${at}`}>
                <td>
                  <Link to="/cases/$id" params={{ id }}>
                    {kinds[kind]} · <Money of={amount} />
                  </Link>
                </td>
                <td>{person}</td>
                <td>
                  <Age since={at} />
                </td>
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
    </Section>
  );
}

/** A time in seconds, in words; a dash for none. */
function useTime(): (seconds: number | null) => string {
  const duration = useDuration();
  return (seconds) => (seconds === null ? '—' : duration(seconds * 1_000));
}

/** The columns stand still: each is known by its place. */
function Numbers({ of }: { readonly of: readonly (string | number)[] }) {
  return of.map((value, column) => (
    <td key={column} className="number">
      {value}
    </td>
  ));
}
