// What an operator was sent, read when a person asks for it. Personal data in it is masked.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JsonValue } from '../../../domain/rules/canonical-json.js';
import { read } from '../api/queries.js';
import { useTexts } from '../preferences.js';
import { webhookTexts } from '../texts/webhooks.js';
import { Json } from './json.js';
import { Loaded } from './states.js';

export function EventBody({ id }: { readonly id: string }) {
  const texts = useTexts(webhookTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {texts.body} <code>{id}</code>
      </summary>
      {isOpen && <Opened id={id} />}
    </details>
  );
}

function Opened({ id }: { readonly id: string }) {
  const texts = useTexts(webhookTexts);
  const query = useQuery(read('readEvent', { params: { id } }));
  return (
    <Loaded query={query} lines={4}>
      {({ body }) => (
        <div className="event-body">
          <p className="quiet">{texts.bodyNote}</p>
          <Json value={body as JsonValue} />
        </div>
      )}
    </Loaded>
  );
}
