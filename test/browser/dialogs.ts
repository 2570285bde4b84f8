// Dialogs, as a keyboard finds them: a new one takes the focus some frames after it is drawn, and hears no key before.
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../lab/harness/eventually.js';

const SOON_MS = 5_000;

/** The page's dialog: there is at most one. */
export const dialog = (page: Page): Locator => page.getByRole('dialog');

/** Waits until the dialog is there and has the focus. @returns the dialog */
export async function opened(dialog: Locator): Promise<Locator> {
  await dialog.waitFor();
  await eventually(() => dialog.evaluate(holdsFocus), 'the dialog has the focus', SOON_MS);
  return dialog;
}

/** Closes an opened dialog by the Escape key. */
export async function escape(dialog: Locator): Promise<void> {
  await dialog.page().keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

export const soonHasFocus = (element: Locator) => soon(() => element.evaluate(hasFocus));
export const soonHoldsFocus = (element: Locator) => soon(() => element.evaluate(holdsFocus));

/** What Playwright hands to a function in the page; the tests' own types have no document. */
interface InPage {
  contains(other: InPage | null): boolean;
  readonly ownerDocument: { readonly activeElement: InPage | null };
}

const hasFocus = (element: InPage) => element === element.ownerDocument.activeElement;
const holdsFocus = (element: InPage) => element.contains(element.ownerDocument.activeElement);

function soon(isSo: () => Promise<boolean>): Promise<boolean> {
  return eventually(isSo, 'the focus is there', SOON_MS).catch(() => false);
}
