// A button for an act. The panel's answer says whether the act is possible.
import type { ReactNode } from 'react';
import type { WhyNot } from '../../../contract/panel/schemas/common.js';
import { useTexts } from '../preferences.js';
import { commonTexts } from '../texts/common.js';
import { WhyButton } from './why-button.js';

interface Possibility {
  readonly possible: boolean;
  readonly why_not: WhyNot | null;
}

export interface ActButtonProps {
  readonly possibility: Possibility;
  readonly onAct: () => void;
  readonly tone?: 'good' | 'bad' | 'plain';
  readonly shortcut?: string | undefined;
  readonly children: ReactNode;
}

export function ActButton({ possibility: { possible, why_not: why }, ...button }: ActButtonProps) {
  const { whyNot } = useTexts(commonTexts);
  return <WhyButton why={possible ? null : whyNot[why ?? 'other_state']} {...button} />;
}
