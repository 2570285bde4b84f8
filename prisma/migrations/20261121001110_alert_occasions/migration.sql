-- What an alert is about: one payment, one reversal. Of an occasion there is one alert, resolved or not; of a condition one that is open.

-- AlterTable
ALTER TABLE "alert" ADD COLUMN "occasion" TEXT;

DROP INDEX "alert_open_once";
CREATE UNIQUE INDEX "alert_open_once" ON "alert" ("kind", coalesce("object_id", ''), coalesce("operation_id", '')) WHERE "resolved_at" IS NULL AND "occasion" IS NULL;
CREATE UNIQUE INDEX "alert_once_of_an_occasion" ON "alert" ("kind", coalesce("object_id", ''), coalesce("operation_id", ''), "occasion") WHERE "occasion" IS NOT NULL;
