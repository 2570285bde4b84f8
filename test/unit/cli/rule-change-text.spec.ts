// A report in words: before → after at a glance, amounts as people read them, nothing about what was not asked.
import assert from 'node:assert/strict';
import { reportText } from '../../../cli/commands/rules/change-text.js';
import type { RuleChangeReport } from '../../../domain/rules/proof/report.js';

const EMPTY: RuleChangeReport = {
  currency: 'BRL',
  from: '2026-10-22T16:00:00.000Z',
  through: '2026-11-21T16:00:00.000Z',
  is_cut_off: false,
  compared: 0,
  not_comparable: { facts_missing: 0, directory_not_asked: 0, facts_of_other_rules: 0 },
  decided_under_other_rules: 0,
  flipped: { decisions: 0, players: 0, players_unknown: 0 },
  to_review: { decisions: 0, amount_minor: '0' },
  from_review: { decisions: 0, amount_minor: '0' },
  to_two_people: { decisions: 0, amount_minor: '0' },
  from_two_people: { decisions: 0, amount_minor: '0' },
  outcomes: [],
  flips: [],
  reasons: [],
};
const text = (changes: Partial<RuleChangeReport>) => reportText({ ...EMPTY, ...changes }).join('\n');

describe('a report in words', () => {
  it('aligns before and after, with signs and money', () => {
    const outcomes = [
      {
        subject: 'withdrawal',
        outcome: 'automatic',
        decided: 12,
        in_force: 12,
        proposed: 9,
        in_force_minor: '120000',
        proposed_minor: '90000',
      },
      {
        subject: 'withdrawal',
        outcome: 'review',
        decided: 0,
        in_force: 0,
        proposed: 3,
        in_force_minor: '0',
        proposed_minor: '30000',
      },
      {
        subject: 'deposit',
        outcome: 'accept',
        decided: 0,
        in_force: 0,
        proposed: 0,
        in_force_minor: '0',
        proposed_minor: '0',
      },
    ] as const;
    const shown = text({
      compared: 12,
      outcomes,
      flipped: { decisions: 3, players: 1, players_unknown: 1 },
      to_review: { decisions: 3, amount_minor: '30000' },
    });
    assert.ok(
      shown.includes(
        [
          '                       in force     proposed  change  amount',
          'withdrawals asked for',
          '  automatic                  12  →         9      −3  R$ 1.200,00 → R$ 900,00',
          '  to review                   0  →         3      +3  R$ 0,00 → R$ 300,00',
          '',
        ].join('\n'),
      ),
      shown,
    );
    assert.match(
      shown,
      /3 decisions flip, of 1 player; of 1 the player was not recorded\nmoved to review: {3}R\$ 300,00 \(3\)/,
    );
    assert.doesNotMatch(shown, /deposits/);
  });

  it('explains a flip by what hits now and what no longer does, and counts what it does not show', () => {
    const example = { object_id: 'wdr_1', decided_at: '2026-11-20T22:14:00.000Z', amount_minor: '19900' };
    const why = [
      { code: 'FIRST_WITHDRAWAL', proposed: 'hits', compared: { paidWithdrawalCount: 0 } },
      {
        code: 'AUTO_MAX_PER_WITHDRAWAL_EXCEEDED',
        proposed: 'passes',
        compared: { limitMinor: '20000', amountMinor: '19900' },
      },
      { code: 'OUTSIDE_AUTO_HOURS', proposed: 'passes', compared: {} },
    ] as const;
    const shown = text({
      compared: 9,
      flips: [
        {
          subject: 'withdrawal',
          from: 'review',
          to: 'automatic',
          decisions: 7,
          players: 2,
          amount_minor: '139300',
          examples: [{ ...example, why }],
        },
      ],
    });
    assert.ok(
      shown.endsWith(
        [
          'withdrawals asked for, to review → automatic: 7, R$ 1.393,00, 2 players',
          '  wdr_1  R$ 199,00  2026-11-20 22:14',
          '    now FIRST_WITHDRAWAL (no withdrawal of the player was paid before: paid withdrawal count 0)',
          '    no longer AUTO_MAX_PER_WITHDRAWAL_EXCEEDED (amount R$ 199,00, limit R$ 200,00)',
          '    no longer OUTSIDE_AUTO_HOURS',
          '  … and 6 more, of lower or equal amounts',
        ].join('\n'),
      ),
      shown,
    );
  });
});
