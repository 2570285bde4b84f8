// Stored JSON as names and values, for people. Texts are of unknown origin: they are text and never markup.
import type { ReactNode } from 'react';
import type { JsonValue } from '../../../domain/rules/canonical-json.js';
import { Words } from './theirs.js';

export function Json({ value }: { readonly value: JsonValue }): ReactNode {
  if (value === null || value === '') return '—';
  if (typeof value !== 'object')
    return (
      <code>
        <Words text={String(value)} />
      </code>
    );
  const entries = Object.entries(value as Readonly<Record<string, JsonValue>>);
  if (entries.length === 0) return '—';
  if (Array.isArray(value))
    return (
      <span className="chips">
        {entries.map(([index, item]) => (
          <Json key={index} value={item} />
        ))}
      </span>
    );
  return (
    <dl className="json">
      {entries.map(([name, item]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <Json value={item} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
