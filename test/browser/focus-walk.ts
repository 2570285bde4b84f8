// Goes through a page by Tab, as somebody does who uses no pointer, and judges what the focus does: whether one sees
// it, whether it follows what one sees, whether it can leave.
import type { Page } from 'playwright-core';

/** A page with more stops than this holds the focus. */
const MOST_STOPS = 300;

/** What is wrong with the focus on the page, or in the dialog over it; nothing if all is well. */
export async function focusFaults(page: Page): Promise<string[]> {
  await page.evaluate(WALKER);
  for (let stops = 0; stops < MOST_STOPS; stops += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate<boolean>('walk.isOver()')) return page.evaluate<string[]>('walk.faults()');
  }
  return [`the focus does not leave within ${MOST_STOPS} stops`];
}

/**
 * In the page. The walk begins before the first element of the page or dialog and is over when the focus is back
 * there. Two stops that follow each other are compared by what contains them, below what contains both: the later one
 * is to the right, or further down.
 */
const WALKER = `
(() => {
  const dialog = document.querySelector('[role="dialog"]');
  const stops = [];
  const faults = [];
  const SLACK = 2;
  const nameOf = (element) =>
    (element.getAttribute('aria-label') || element.innerText || element.name || element.id || element.tagName)
      .trim().replaceAll(/\\s+/g, ' ').slice(0, 40) + ' (' + element.tagName.toLowerCase() + ')';
  const shadowOf = (element) => getComputedStyle(element).boxShadow;
  const hasOutline = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  };
  /** Whether some of it is in the window and in what scrolls around it, with nothing over it. */
  const isSeen = (element) => {
    let { left, right, top, bottom } = element.getBoundingClientRect();
    for (let around = element.parentElement; around !== null; around = around.parentElement) {
      if (getComputedStyle(around).overflowX === 'visible') continue;
      const box = around.getBoundingClientRect();
      [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
      [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
    }
    if (right - left < SLACK || bottom - top < SLACK) return false;
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const over = document.elementFromPoint(x, y);
    return over !== null && (element.contains(over) || over.contains(element));
  };
  const boxOf = (element) => {
    const own = [...element.getClientRects()];
    const all = own.length > 0 ? own : [...element.children].map(boxOf);
    const of = (side, most) => most(...all.map((box) => box[side]));
    const [left, top] = [of('left', Math.min), of('top', Math.min)];
    return { left, top, right: of('right', Math.max), bottom: of('bottom', Math.max) };
  };
  /** The child of what contains both that has this one. */
  const below = (both, element) => {
    let child = element;
    while (child.parentElement !== both) child = child.parentElement;
    return child;
  };
  const follows = (earlier, later) => {
    if (earlier.contains(later) || later.contains(earlier)) return earlier.contains(later);
    let both = earlier.parentElement;
    while (!both.contains(later)) both = both.parentElement;
    const [from, to] = [boxOf(below(both, earlier)), boxOf(below(both, later))];
    const isBeside = to.left >= from.right - SLACK && to.bottom > from.top + SLACK;
    return isBeside || to.top >= from.bottom - SLACK;
  };
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const isOver = async () => {
    const element = document.activeElement;
    const last = stops.at(-1);
    if (last !== undefined) last.shadowAfter = shadowOf(last.element);
    if (element === null || element === document.body || element === stops[0]?.element) return true;
    if (dialog !== null && !dialog.contains(element)) {
      faults.push('the focus leaves the dialog: ' + nameOf(element));
      return true;
    }
    // A date has a stop for its day, its month, its year and its calendar.
    if (element === last?.element && element.type === 'date') return false;
    if (stops.some((stop) => stop.element === element)) {
      faults.push('the focus goes round: ' + nameOf(element));
      return true;
    }
    stops.push({ element, shadow: shadowOf(element), outlined: hasOutline(element) });
    // What scrolls to it does so within a frame or two.
    for (let frames = 0; frames < 3 && !isSeen(element); frames += 1) await frame();
    if (!isSeen(element)) faults.push('out of sight: ' + nameOf(element));
    return false;
  };
  const judge = () => {
    if (stops.length === 0) faults.push('nothing takes the focus');
    scrollTo(0, 0);
    for (const element of document.querySelectorAll('*')) {
      if (element.scrollLeft !== 0) element.scrollLeft = 0;
      if (element.scrollTop !== 0) element.scrollTop = 0;
    }
    for (const { element, shadow, shadowAfter, outlined } of stops)
      if (!outlined && shadow === shadowAfter) faults.push('nothing shows the focus: ' + nameOf(element));
    // The skip link is on the page only while it has the focus.
    const isShown = (element) => element.isConnected && !element.matches('.skip');
    const order = stops.map(({ element }) => element).filter(isShown);
    for (const [at, later] of order.entries()) {
      const earlier = order[at - 1];
      if (earlier === undefined || follows(earlier, later)) continue;
      faults.push(nameOf(later) + ' comes after ' + nameOf(earlier));
    }
    return faults;
  };
  const start = dialog ?? document.body;
  const had = start.getAttribute('tabindex');
  start.tabIndex = -1;
  start.focus();
  if (had === null) start.removeAttribute('tabindex');
  else start.setAttribute('tabindex', had);
  window.walk = { isOver, faults: judge };
})()`;
