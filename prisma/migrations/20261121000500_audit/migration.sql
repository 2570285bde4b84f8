-- The engine's own thresholds beside each rule set, what an operation paid out automatically, and the audit trail of human acts.

-- AlterTable
ALTER TABLE "rule_set_version" ADD COLUMN "engine" JSONB;

-- CreateTable
CREATE TABLE "automatic_use" (
    "operation_id" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "hour" TEXT NOT NULL,
    "hour_minor" DECIMAL(38,0) NOT NULL,
    "day" TEXT NOT NULL,
    "day_minor" DECIMAL(38,0) NOT NULL,

    CONSTRAINT "automatic_use_pkey" PRIMARY KEY ("operation_id","currency")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "sequence" BIGINT NOT NULL,
    "act_key" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "person" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "operation_id" TEXT,
    "subject" TEXT,
    "detail" TEXT NOT NULL,
    "previous_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("sequence")
);

-- CreateTable
CREATE TABLE "audit_head" (
    "id" INTEGER NOT NULL,
    "sequence" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "audit_entry_act_key_key" ON "audit_entry"("act_key");

-- CreateIndex
CREATE INDEX "audit_entry_operation_id_sequence_idx" ON "audit_entry"("operation_id", "sequence");

-- CreateIndex
CREATE INDEX "audit_entry_subject_sequence_idx" ON "audit_entry"("subject", "sequence");

ALTER TABLE "automatic_use" SET (fillfactor = 50);

-- A new version that says nothing of the engine's own thresholds (a change of the documented rules) keeps those in force.
CREATE FUNCTION "keep_engine_rules"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."engine" IS NULL THEN
    SELECT r."engine" INTO NEW."engine" FROM "rule_set_version" r WHERE r."operation_id" = NEW."operation_id" ORDER BY r."version" DESC LIMIT 1;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER "rule_set_version_keep_engine" BEFORE INSERT ON "rule_set_version" FOR EACH ROW EXECUTE FUNCTION "keep_engine_rules"();

-- The chain: its one head, and entries that nothing changes or removes.
ALTER TABLE "audit_head" ADD CONSTRAINT "audit_head_only_one" CHECK ("id" = 1);
INSERT INTO "audit_head" ("id", "sequence", "hash") VALUES (1, 0, repeat('0', 64));
CREATE FUNCTION "refuse_truncate"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER "audit_entry_append_only" BEFORE UPDATE OR DELETE ON "audit_entry" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();
CREATE TRIGGER "audit_entry_no_truncate" BEFORE TRUNCATE ON "audit_entry" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_truncate"();
CREATE TRIGGER "audit_head_no_delete" BEFORE DELETE ON "audit_head" FOR EACH ROW EXECUTE FUNCTION "refuse_change"();

-- Appends one act in the caller's transaction. The head's lock makes the chain linear; it is taken last, after every lock of
-- the act itself. An act with a key is written once however often its statement is repeated. Answers its number, or 0.
-- hash = sha256(sequence, at, person, action, operation, subject, detail, previous hash; joined by line feeds), in hex.
CREATE FUNCTION "append_audit"(
  p_act_key text, p_at timestamptz, p_person text, p_action text, p_operation_id text, p_subject text, p_detail text
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  head "audit_head"%ROWTYPE;
  v_at timestamptz := date_trunc('milliseconds', p_at);
  v_sequence bigint;
  v_hash text;
BEGIN
  SELECT * INTO STRICT head FROM "audit_head" WHERE "id" = 1 FOR UPDATE;
  IF p_act_key IS NOT NULL AND EXISTS (SELECT FROM "audit_entry" WHERE "act_key" = p_act_key) THEN
    RETURN 0;
  END IF;
  v_sequence := head."sequence" + 1;
  v_hash := encode(sha256(convert_to(concat_ws(chr(10), v_sequence::text, to_char(v_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    p_person, p_action, coalesce(p_operation_id, ''), coalesce(p_subject, ''), p_detail, head."hash"), 'UTF8')), 'hex');
  INSERT INTO "audit_entry" ("sequence", "act_key", "at", "person", "action", "operation_id", "subject", "detail", "previous_hash", "hash")
  VALUES (v_sequence, p_act_key, v_at, p_person, p_action, p_operation_id, p_subject, p_detail, head."hash", v_hash);
  UPDATE "audit_head" SET "sequence" = v_sequence, "hash" = v_hash WHERE "id" = 1;
  RETURN v_sequence;
END
$$;

-- Every version of an operation's rules is a human act, however it comes to be: written in the version's own transaction.
CREATE FUNCTION "audit_rule_set"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM append_audit('rules:' || NEW."operation_id" || ':' || NEW."version", clock_timestamp(), NEW."created_by", 'rules.set', NEW."operation_id", NEW."operation_id",
    '{"engine_set":' || (NEW."engine" IS NOT NULL AND NEW."engine" <> '{}') || ',"sha256":"' || encode(sha256(convert_to(NEW."rules"::text || coalesce(NEW."engine"::text, ''), 'UTF8')), 'hex')
    || '","version":' || NEW."version" || '}');
  RETURN NULL;
END
$$;
CREATE TRIGGER "rule_set_version_audited" AFTER INSERT ON "rule_set_version" FOR EACH ROW EXECUTE FUNCTION "audit_rule_set"();
