// The records of alerts: what is filled in is read back, whatever stands in the places.
import assert from 'node:assert/strict';
import { ALERT_RECORDS, alertOf, filled, readRecord } from '../../../domain/alert-records.js';
import { PROCESS_ALERTS } from '../../../domain/payments/outside-waits.js';

const PLACES = /\{(\w+)\}/g;
const ALL = Object.entries(ALERT_RECORDS).flatMap(([kind, records]) =>
  Object.entries<string>(records).map(([name, template]) => ({ kind, name, template })),
);
const placesOf = (template: string) => [...template.matchAll(PLACES)].map(([, place]) => String(place));
const unbracketed = (template: string) => template.replace(/\[.*\]/g, '');

describe('the records of alerts', () => {
  it('each is read back as itself, with its values, also without those that it can leave out', () => {
    assert.ok(ALL.length > 80);
    for (const { kind, name, template } of ALL)
      for (const places of [placesOf(template), placesOf(unbracketed(template))]) {
        const values = Object.fromEntries(places.map((place) => [place, `«${place}, of»`]));
        const read = readRecord(kind, filled(template, values));
        const given = Object.fromEntries(Object.entries(read?.values ?? {}).filter(([, value]) => value !== undefined));
        assert.deepEqual([read?.name, given], [name, values], `${kind} ${name}`);
      }
  });

  it('a part without its value is left out', () => {
    const values = { payment: 'dep_1', reversal: 'refund', status: 'expired' } as const;
    assert.equal(
      alertOf('REVERSAL_OUTSIDE_PAID', 'own', { ...values, recalledCentavos: 5n }).detail,
      'dep_1: refund while expired; 5 centavos of it came out of the cash box again',
    );
    assert.equal(
      alertOf('REVERSAL_OUTSIDE_PAID', 'own', { ...values, recalledCentavos: null }).detail,
      'dep_1: refund while expired',
    );
  });

  it('a value is taken as it is, also one that looks like a place or a pattern', () => {
    const name = '{provider} $1 [x]';
    const { detail } = alertOf('LISTING_UNREADABLE', 'unread', { provider: 'a', name });
    assert.equal(detail, `provider a lists something that cannot be read: ${name}`);
    assert.deepEqual({ ...readRecord('LISTING_UNREADABLE', detail)?.values }, { provider: 'a', name });
  });

  it('what is none of the kind’s records is not read', () => {
    for (const kind of ['LATE_PAYMENT', 'OF_ANOTHER_BUILD']) assert.equal(readRecord(kind, 'a late payment'), null);
    assert.equal(readRecord('LATE_PAYMENT', 'dep_1: nothing was sent'), null);
  });

  it('the record of each condition of a process has the places that such an alert fills', () => {
    for (const { kind, record } of Object.values(PROCESS_ALERTS))
      assert.deepEqual(
        placesOf((ALERT_RECORDS[kind] as Readonly<Record<string, string>>)[record] ?? ''),
        ['payment', 'code'],
        kind,
      );
  });
});
