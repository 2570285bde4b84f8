// Filters that a person keeps under a name, in this browser. A player is never part of them.
import { useState } from 'react';
import { paymentFilters, type PaymentFilters } from '../../app/search.js';
import { useTexts } from '../../preferences.js';
import { paymentsTexts } from '../../texts/payments.js';

const PLACE = 'panel.payment-views';
const MOST_VIEWS = 20;

type Views = Readonly<Record<string, PaymentFilters>>;

interface SavedViewsProps {
  readonly filters: PaymentFilters;
  readonly onChoose: (filters: PaymentFilters) => void;
}

export function SavedViews({ filters: { player: _, ...filters }, onChoose }: SavedViewsProps) {
  const texts = useTexts(paymentsTexts);
  const [views, setViews] = useState(kept);
  const [name, setName] = useState('');
  const keep = (next: Views) => {
    setViews(next);
    try {
      localStorage.setItem(PLACE, JSON.stringify(next));
    } catch {
      // In a browser without storage they last as long as the page.
    }
  };
  const canSave = Object.keys(filters).length > 0 && Object.keys(views).length < MOST_VIEWS;
  if (!canSave && Object.keys(views).length === 0) return null;
  return (
    <section className="filters" aria-label={texts.views}>
      {Object.entries(views).map(([saved, of]) => (
        <span key={saved} className="chips">
          <button type="button" className="chip-button" onClick={() => onChoose(of)}>
            {saved}
          </button>
          <button
            type="button"
            className="button-quiet"
            aria-label={texts.forget(saved)}
            onClick={() => keep(Object.fromEntries(Object.entries(views).filter(([other]) => other !== saved)))}
          >
            ✕
          </button>
        </span>
      ))}
      {canSave && (
        <form
          className="filters"
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim() === '') return;
            keep({ ...views, [name.trim()]: filters });
            setName('');
          }}
        >
          <label>
            {texts.viewName}
            <input value={name} maxLength={40} onChange={({ target }) => setName(target.value)} />
          </label>
          <button type="submit" className="button">
            {texts.save}
          </button>
          <span className="quiet">{texts.viewsText}</span>
        </form>
      )}
    </section>
  );
}

/** What was kept, as far as it still is a filter. */
function kept(): Views {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '{}');
    const entries = Object.entries(found as Readonly<Record<string, Readonly<Record<string, unknown>>>>);
    return Object.fromEntries(entries.slice(0, MOST_VIEWS).map(([name, of]) => [name, filtersAlone(of)]));
  } catch {
    return {};
  }
}

function filtersAlone(given: Readonly<Record<string, unknown>>): PaymentFilters {
  const { operation: _, player: __, ...filters } = paymentFilters(given);
  return filters;
}
