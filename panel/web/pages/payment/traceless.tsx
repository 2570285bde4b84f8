// What is known of a lost payout: when it was sent, and how often the provider was asked in vain.
import type { Answered } from '../../../../contract/panel/routes.js';
import { useTexts } from '../../preferences.js';
import { Instant } from '../../ui/time.js';
import { paymentTexts } from '../../texts/payment.js';

interface TracelessProps {
  readonly sentAt: string | null;
  readonly of: Answered<'readWriteOffs'>['items'][number]['traceless'];
  readonly zone: string | undefined;
}

export function Traceless({ sentAt, of: { look_ups: lookUps, since, last_at: lastAt }, zone }: TracelessProps) {
  const texts = useTexts(paymentTexts);
  return (
    <>
      {sentAt !== null && (
        <>
          {texts.sent} <Instant at={sentAt} zone={zone} /> ·{' '}
        </>
      )}
      {texts.traceless(lookUps)}
      {since !== null && (
        <>
          , {texts.tracelessSince} <Instant at={since} zone={zone} />
        </>
      )}
      {lastAt !== null && (
        <>
          , {texts.tracelessLast} <Instant at={lastAt} zone={zone} />
        </>
      )}
    </>
  );
}
