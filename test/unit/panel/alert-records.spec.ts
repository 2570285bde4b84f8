// What alerts record, in Portuguese: every record of the table, with the words that stand in its places.
import assert from 'node:assert/strict';
import type { RecordText } from '../../../domain/alert-definition.js';
import { ALERT_RECORDS, alertOf } from '../../../domain/alert-records.js';
import { ENGLISH } from '../../support/english.js';
import { readTables } from '../../support/panel-texts.js';

const PLACES = /\[|\]|\{\w+\}/g;
const marksOf = (template: string) => template.match(PLACES) ?? [];

interface Tables {
  readonly recordsPt: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly wordsPt: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly recordIn: (language: string, kind: string, detail: string) => { readonly text: string };
}

describe('the records of alerts in Portuguese', () => {
  let tables: Tables;
  before(async () => {
    tables = (await readTables()) as unknown as Tables;
  });
  const read = ({ kind, detail }: { readonly kind: string; readonly detail: RecordText }) =>
    tables.recordIn('pt-BR', kind, detail).text;

  it('each has the places of the English one, except a library’s words', () => {
    for (const [kind, records] of Object.entries(ALERT_RECORDS))
      for (const [name, english] of Object.entries<string>(records)) {
        const portuguese = tables.recordsPt[kind]?.[name] ?? '';
        const expected = marksOf(english.replace('[: {fault}]', '')).toSorted();
        assert.deepEqual(marksOf(portuguese).toSorted(), expected, `${kind} ${name}`);
        assert.doesNotMatch(portuguese.replace(PLACES, ''), ENGLISH);
      }
    for (const words of Object.values(tables.wordsPt))
      for (const word of Object.values(words)) assert.doesNotMatch(word, ENGLISH);
  });

  it('words in the places are Portuguese too; ids, codes, amounts and times stay', () => {
    assert.equal(
      read(alertOf('LATE_PAYMENT', 'paid', { payment: 'dep_1', status: 'cancelled' })),
      'dep_1: pago quando já estava cancelado',
    );
    const reversal = { payment: 'dep_1', reversal: 'chargeback', bankId: 'E1', recalledCentavos: 5n } as const;
    assert.equal(
      read(alertOf('REVERSAL_OUTSIDE_PAID', 'other', reversal)),
      'dep_1: estorno (MED) de outro pagamento (E1); 5 centavos saíram de novo do caixa',
    );
    assert.equal(
      read(alertOf('NOT_IN_THE_BOOKS', 'refused', { payment: 'wdr_1', asked: 'payout', refusal: 'not_decided' })),
      'wdr_1: sem permissão para o envio (nem as regras nem pessoas bastantes decidiram)',
    );
    assert.equal(
      read(alertOf('WORKFLOW_REOPENED', 'stuck', { object: 'rule change', was: 'pending_approval', count: 4 })),
      'mudança de regras (espera aprovação): o processo não avançava (4 tarefas com falha); começou um novo',
    );
    const named = { payment: 'no known id', operation: 'op_1' };
    const byHand = 'for an event that does not exist';
    assert.equal(
      read(alertOf('STEP_FORGED', 'by_hand', { step: 'deliverEvent', byHand, ...named })),
      'deliverEvent foi chamado à mão: para um evento que não existe: nenhum id conhecido, operação op_1',
    );
    assert.equal(
      read(
        alertOf('FEE_DIFFERS', 'differs', {
          payment: 'wdr_1',
          feeOf: 'payout',
          reportedFee: 'R$ 1,00',
          noted: 'R$ 0,50',
        }),
      ),
      'wdr_1: envio: tarifa de R$ 1,00, lançada R$ 0,50',
    );
  });

  it('each word of each place is read back, wherever it stands', () => {
    let words = 0;
    for (const [kind, records] of Object.entries(ALERT_RECORDS))
      for (const template of Object.values<string>(records))
        for (const place of template.match(/(?<=\{)\w+(?=\})/g) ?? [])
          for (const [english, portuguese] of Object.entries(tables.wordsPt[place] ?? {})) {
            const record = template.replace(`{${place}}`, english).replace(/[{}]|\[.*\]/g, '');
            assert.ok(tables.recordIn('pt-BR', kind, record).text.includes(portuguese), `${kind}: ${record}`);
            words += 1;
          }
    assert.ok(words > 100);
  });

  it('a library’s words about a field are left out', () => {
    const values = { provider: 'a', count: 2, field: 'pix.0.txid', fault: 'Invalid input: expected string' };
    assert.equal(
      read(alertOf('CALLBACK_UNREADABLE', 'unread', values)),
      'provedor a: 2 de um lote não puderam ser lidos (pix.0.txid)',
    );
  });

  it('the stored English is what an English page shows, and any page of a record that it does not know', () => {
    const { kind, detail } = alertOf('PASSKEY_ADDED', 'added', { person: 'ana' });
    assert.deepEqual(tables.recordIn('en', kind, detail), { text: 'ana has a new passkey', language: 'en' });
    for (const of of ['PASSKEY_ADDED', 'OF_ANOTHER_BUILD'])
      assert.deepEqual(tables.recordIn('pt-BR', of, 'something new'), { text: 'something new', language: 'en' });
  });
});
