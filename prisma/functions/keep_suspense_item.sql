-- What is left of an item in suspense: the sum of its entries. Nothing else changes it, and its check constraint refuses
-- the statement that would take out more than there is.
CREATE OR REPLACE FUNCTION keep_suspense_item() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE suspense_item SET left_minor = left_minor + change.amount
  FROM (SELECT account, end_to_end_id, sum(amount_minor) AS amount FROM entered GROUP BY 1, 2) AS change
  WHERE suspense_item.account = change.account AND suspense_item.end_to_end_id = change.end_to_end_id;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER suspense_entry_item AFTER INSERT ON suspense_entry
  REFERENCING NEW TABLE AS entered FOR EACH STATEMENT EXECUTE FUNCTION keep_suspense_item();
