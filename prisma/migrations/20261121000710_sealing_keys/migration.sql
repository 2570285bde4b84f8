-- Keys that a vault wraps, and who sealed with which key when.
CREATE TABLE "data_key" (
  "id" TEXT NOT NULL,
  "purpose" TEXT NOT NULL,
  "wrapped" TEXT NOT NULL,
  "active_from" TIMESTAMPTZ(3) NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "retired_at" TIMESTAMPTZ(3),
  CONSTRAINT "data_key_pkey" PRIMARY KEY ("id")
);
ALTER TABLE "data_key" ADD CONSTRAINT "data_key_purpose_check" CHECK ("purpose" IN ('sealing', 'hash'));
-- Equality must hold over time: there is one hash key, for ever.
CREATE UNIQUE INDEX "data_key_one_hash" ON "data_key" ("purpose") WHERE "purpose" = 'hash';
ALTER TABLE "data_key" ADD CONSTRAINT "data_key_hash_stays" CHECK ("purpose" <> 'hash' OR "retired_at" IS NULL);

CREATE TABLE "sealing_key_use" (
  "key_id" TEXT NOT NULL,
  "first_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "sealing_key_use_pkey" PRIMARY KEY ("key_id")
);

-- An event never changes; but it can be sealed anew with another key, by who says so, when nothing else of it changes.
CREATE FUNCTION "refuse_change_but_resealing"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND current_setting('gateway.resealing', true) = 'on' AND to_jsonb(NEW) - 'body_sealed' = to_jsonb(OLD) - 'body_sealed' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
DROP TRIGGER "event_append_only" ON "event";
CREATE TRIGGER "event_append_only" BEFORE UPDATE OR DELETE ON "event" FOR EACH ROW EXECUTE FUNCTION "refuse_change_but_resealing"();
