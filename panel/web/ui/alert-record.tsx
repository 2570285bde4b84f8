// What an alert records of its case, in the reader's language.
import { usePreferences, useTexts } from '../preferences.js';
import { alertTexts } from '../texts/alerts.js';
import { recordIn } from '../texts/said-records.js';
import { Words } from './theirs.js';

interface AlertRecordProps {
  readonly alert: { readonly kind: string; readonly detail: string };
  /** Whether the page says that it is the record; a record that stays in English always says so. */
  readonly isNamed?: boolean;
}

export function AlertRecord({ alert: { kind, detail }, isNamed = false }: AlertRecordProps) {
  const { language: readers } = usePreferences();
  const { recorded, recordedInEnglish } = useTexts(alertTexts);
  const { text, language } = recordIn(readers, kind, detail);
  const isForeign = language !== readers;
  return (
    <>
      {(isNamed || isForeign) && (
        <>
          <span className="quiet">{isForeign ? recordedInEnglish : recorded}:</span>{' '}
        </>
      )}
      <Words text={text} lang={language} />
    </>
  );
}
