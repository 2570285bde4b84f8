// Placeholders for content: loading, failed, missing, forbidden, empty. Errors name the trace that leads to
// them.
import { type ReactNode, useState } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { faultOf, traceIdOf, type Fault } from '../api/faults.js';
import { useTexts } from '../preferences.js';
import { commonTexts } from '../texts/common.js';
import { errorTexts } from '../texts/errors.js';
import { Copyable } from './copyable.js';

export interface EmptyProps {
  readonly title: string;
  readonly text?: string;
  /** It replaces the whole page, which has no other heading. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}

export function Empty({ title, text, isPage = false, children }: EmptyProps) {
  const Title = isPage ? 'h1' : 'p';
  return (
    <div className="state">
      <Title className="state-title">{title}</Title>
      {text !== undefined && <p>{text}</p>}
      {children}
    </div>
  );
}

export function Loading({ lines = 6 }: { lines?: number }) {
  const texts = useTexts(commonTexts);
  return (
    <div className="loading" role="status">
      <span className="hidden">{texts.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className="loading-line" aria-hidden="true" />
      ))}
    </div>
  );
}

/** The sentence of a fault, in the person's language. */
function useFaultText(): (fault: Fault) => string {
  const errors = useTexts(errorTexts);
  const texts = useTexts(commonTexts);
  return (fault) => (fault.kind === 'refused' ? errors[fault.error.code] : texts.unanswered);
}

export function FaultNotice({ fault, children }: { readonly fault: Fault; children?: ReactNode }) {
  const text = useFaultText();
  const traceId = traceIdOf(fault);
  return (
    <div className="notice notice-bad" role="alert">
      <p>{text(fault)}</p>
      {fault.kind === 'refused' &&
        fault.error.issues?.map(({ path, problem }) => (
          <p key={`${path} ${problem}`} className="quiet">
            {path}: {problem}
          </p>
        ))}
      {children}
      {traceId !== null && <TraceId id={traceId} />}
    </div>
  );
}

function TraceId({ id }: { readonly id: string }) {
  const texts = useTexts(commonTexts);
  return (
    <p className="quiet">
      {texts.traceId}: <Copyable text={id} />
    </p>
  );
}

function Failed({ error, again }: { readonly error: unknown; readonly again: () => void }) {
  const texts = useTexts(commonTexts);
  const fault = faultOf(error);
  const code = fault.kind === 'refused' ? fault.error.code : null;
  if (code === 'not_found') return <Empty title={texts.missing} text={texts.missingText} isPage />;
  if (code === 'not_permitted') return <Empty title={texts.forbidden} text={texts.forbiddenText} isPage />;
  return (
    <div className="state">
      <p className="state-title">{texts.failed}</p>
      <FaultNotice fault={fault} />
      <button type="button" className="button" onClick={again}>
        {texts.again}
      </button>
    </div>
  );
}

/** Why it failed last, also while it is asked again: a page that is not there must not flicker with every change. */
function useKeptError({ data, error, errorUpdateCount, isPending }: UseQueryResult<unknown>): unknown {
  const [kept, setKept] = useState<unknown>(null);
  if (error !== null && error !== kept) setKept(error);
  // Another query of the same place has not failed yet.
  const isAskedAgain = data === undefined && isPending && errorUpdateCount > 0;
  return error ?? (isAskedAgain ? kept : null);
}

/** A query's content. While it reloads the old content stays; when that fails, a line above reports it. */
export function Loaded<Data>({
  query,
  lines = 6,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}) {
  const { data, isPending, refetch } = query;
  const error = useKeptError(query);
  if (data !== undefined)
    return (
      <>
        {error !== null && <FaultNotice fault={faultOf(error)} />}
        {children(data)}
      </>
    );
  if (isPending && error === null) return <Loading lines={lines} />;
  return <Failed error={error} again={() => void refetch()} />;
}
