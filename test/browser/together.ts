// Two people decide the same case at the same moment, each in their own page: one decision is made, and the other
// page says whose it was.
import assert from 'node:assert/strict';
import type { Page, Route } from 'playwright-core';
import { PANEL_URL } from '../integration/panel/world.js';
import type { Visitor } from './chromium.js';
import { dialog, opened, soonHasFocus } from './dialogs.js';
import type { BrowserWorld } from './panel-world.js';
import { readTexts, type Say } from './texts.js';

interface Together {
  readonly world: BrowserWorld;
  readonly rita: Visitor;
  readonly paulo: Visitor;
}

/** On the world and with the people of decisions.spec.ts. */
export const togetherTests = (shared: () => Together) =>
  describe('at the same moment', () => {
    let world: BrowserWorld;
    let say: Say;
    let rita: Visitor;
    let paulo: Visitor;

    before(async () => {
      ({ world, rita, paulo } = shared());
      say = await readTexts();
    });

    /** Opens the case and the dialog, and fills it; one Ctrl+Enter is left. */
    const prepare = async ({ page }: Visitor, id: string, decision: 'approve' | 'refuse') => {
      await page.goto(`${PANEL_URL}/cases/${id}`);
      await page.getByRole('complementary', { name: say('caseTexts.decide') }).waitFor();
      await page.keyboard.press(decision === 'approve' ? 'a' : 'r');
      await opened(dialog(page));
      if (decision === 'refuse') return page.keyboard.press('1');
      const confirm = dialog(page).getByLabel(say('caseTexts.confirm', id.slice(-4)));
      await confirm.fill(id.slice(-4));
      assert.ok(await soonHasFocus(confirm), 'the field that confirms keeps the focus');
      assert.equal(await confirm.inputValue(), id.slice(-4));
    };
    /** The answer to the page's decision. Without one, the error says what the page shows instead. */
    const answerOn = (page: Page) =>
      page.waitForResponse('**/decision').catch(async (error: unknown) => {
        const shown = await page.locator('body').innerText();
        throw new Error(`no answer to the decision; ${page.url()} shows ${JSON.stringify(shown)}`, { cause: error });
      });
    /** Sends both, and lets both requests continue once the second is there. */
    const sendTogether = async (visitors: readonly Visitor[]) => {
      const held: Route[] = [];
      let letGo = () => undefined as void;
      const bothAreThere = new Promise<void>((resolve) => (letGo = resolve));
      for (const { page } of visitors)
        await page.route('**/decision', async (route) => {
          if (held.push(route) === visitors.length) letGo();
          await bothAreThere;
          await route.continue();
        });
      const answers = visitors.map(({ page }) => answerOn(page));
      await Promise.all(visitors.map(({ page }) => page.keyboard.press('Control+Enter')));
      const statuses = (await Promise.all(answers)).map((answer) => answer.status());
      for (const { page } of visitors) await page.unroute('**/decision');
      return statuses;
    };
    const outcomeOf = async (id: string) => {
      const [row] = await world.gateway.rows('SELECT status, decided_by FROM withdrawal WHERE id = $1', id);
      return {
        status: row?.['status'],
        decisions: (row?.['decided_by'] as readonly { readonly person: string }[]).length,
      };
    };

    for (const [other, statuses] of [
      ['approve', ['approved']],
      ['refuse', ['approved', 'rejected']],
    ] as const)
      it(`approve and ${other}: one of them, and the other person sees who it was`, async () => {
        const id = await world.withdrawal();
        await Promise.all([prepare(rita, id, 'approve'), prepare(paulo, id, other)]);
        const answers = await sendTogether([rita, paulo]);
        assert.deepEqual(answers.toSorted(), [200, 409]);
        const [won, lost] = answers[0] === 200 ? (['rita', paulo] as const) : (['paulo', rita] as const);
        await dialog(lost.page).getByRole('alert').getByText(won).first().waitFor();
        const { status, decisions } = await outcomeOf(id);
        assert.equal(decisions, 1);
        assert.ok((statuses as readonly unknown[]).includes(status), String(status));
        const done = (await world.decided(id)).filter((act) => act.endsWith('done'));
        assert.equal(done.length, 1);
        assert.match(
          done[0] ?? '',
          new RegExp(`^${won} withdrawal.${status === 'rejected' ? 'refuse' : 'approve'} done$`),
        );
      });
  });
