// The draft of a reason: it survives a reload and the end of the session, in this tab only, until the decision is sent
// or the person signs out.
import { useEffect, useState } from 'react';

const PREFIX = 'panel.draft.';

/** `owner`: the person's handle; another person in the same tab never sees it. */
export function useDraft(owner: string, paymentId: string, decision: string) {
  const place = `${PREFIX}${owner}.${paymentId}.${decision}`;
  const [text, setText] = useState(() => kept(place));
  useEffect(() => {
    try {
      if (text === '') sessionStorage.removeItem(place);
      else sessionStorage.setItem(place, text);
    } catch {
      // In a tab without storage the draft lasts as long as the page.
    }
  }, [place, text]);
  return [text, setText] as const;
}

function kept(place: string): string {
  try {
    return sessionStorage.getItem(place) ?? '';
  } catch {
    return '';
  }
}

export function forgetDrafts(): void {
  try {
    for (const place of Object.keys(sessionStorage)) if (place.startsWith(PREFIX)) sessionStorage.removeItem(place);
  } catch {
    // Nothing was kept.
  }
}
