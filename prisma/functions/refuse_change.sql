-- Append-only tables: a row is written once. Nothing may change or delete it, or truncate the table.
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;

DO $$
DECLARE
  book text;
BEGIN
  FOREACH book IN ARRAY ARRAY[
    'decision',
    'ledger_entry',
    'bank_movement',
    'suspense_entry',
    'cash_movement',
    'reconciliation_day',
    'reconciliation_item',
    'audit_entry',
    'audit_seal',
    'statement_line',
    'statement_day',
    'statement_removal',
    'statement_resolution',
    'return_conclusion',
    'item_return',
    'case_note'
  ] LOOP
    EXECUTE format(
      'CREATE OR REPLACE TRIGGER %I BEFORE UPDATE OR DELETE ON %I FOR EACH ROW EXECUTE FUNCTION refuse_change()',
      book || '_append_only', book
    );
    EXECUTE format(
      'CREATE OR REPLACE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
      book || '_no_truncate', book
    );
  END LOOP;
END
$$;
-- Its rows may be resealed (refuse_change_except_resealing).
CREATE OR REPLACE TRIGGER event_no_truncate BEFORE TRUNCATE ON event
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
