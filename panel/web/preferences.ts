// What a person chose for this browser: language, theme, keyboard shortcuts. Kept in the browser, without personal
// data.
import { useSyncExternalStore } from 'react';
import type { InBoth, Language } from './texts/language.js';

export interface Preferences {
  readonly language: Language;
  readonly theme: 'system' | 'light' | 'dark';
  readonly hasKeys: boolean;
}

const PLACE = 'panel.preferences';

let preferences: Preferences = { ...initial(), ...kept() };
const listeners = new Set<() => void>();

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => preferences,
  );
}

export const currentPreferences = (): Preferences => preferences;

export function prefer(chosen: Partial<Preferences>): void {
  preferences = { ...preferences, ...chosen };
  try {
    localStorage.setItem(PLACE, JSON.stringify(preferences));
  } catch {
    // In a browser without storage the choice lasts as long as the page.
  }
  showPreferences();
  listeners.forEach((listener) => listener());
}

/** Sets them on the document, for the style sheet and screen readers. */
export function showPreferences(): void {
  const { documentElement } = document;
  documentElement.lang = preferences.language;
  documentElement.dataset['theme'] = preferences.theme;
}

/** The texts of a subject in the chosen language. */
export function useTexts<Texts>(texts: InBoth<Texts>): Texts {
  return texts[usePreferences().language];
}

function initial(): Preferences {
  const isEnglish = navigator.languages[0]?.toLowerCase().startsWith('en') === true;
  return { language: isEnglish ? 'en' : 'pt-BR', theme: 'system', hasKeys: true };
}

function kept(): Partial<Preferences> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '{}');
    const { language, theme, hasKeys } = found as Partial<Record<keyof Preferences, unknown>>;
    return {
      ...(language === 'pt-BR' || language === 'en' ? { language } : {}),
      ...(theme === 'system' || theme === 'light' || theme === 'dark' ? { theme } : {}),
      ...(typeof hasKeys === 'boolean' ? { hasKeys } : {}),
    };
  } catch {
    return {};
  }
}
