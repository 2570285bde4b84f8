#!/bin/sh
# Makes the schema of Temporal's two databases, or brings it up to date. Runs in Temporal's admin-tools image; may be repeated.
set -eu
SQL_PASSWORD=$(cat /run/secrets/temporal-database-password)
export SQL_PASSWORD
deploy() { # DATABASE SCHEMA
  tool="temporal-sql-tool --plugin postgres12 --endpoint postgres --port 5432 --user temporal --database $1"
  # A database without the table of versions is new. update-schema alone would fail there.
  $tool update-schema --dryrun --schema-dir "/etc/temporal/schema/postgresql/v12/$2/versioned" >/dev/null 2>&1 || $tool setup-schema --version 0.0
  $tool update-schema --schema-dir "/etc/temporal/schema/postgresql/v12/$2/versioned"
}
deploy temporal temporal
deploy temporal_visibility visibility
