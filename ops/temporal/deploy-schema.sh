#!/bin/sh
# Creates or updates the schema of Temporal's two databases. Runs in Temporal's admin-tools image; repeating it is safe.
set -eu
SQL_PASSWORD=$(cat /run/secrets/temporal-database-password)
export SQL_PASSWORD
schemas=/etc/temporal/schema/postgresql/v12
deploy() { # DATABASE SCHEMA
  tool="temporal-sql-tool --plugin postgres12 --endpoint postgres --port 5432 --user temporal --database $1"
  # A database without a version table is new; update-schema alone would fail on it.
  $tool update-schema --dryrun --schema-dir "$schemas/$2/versioned" >/dev/null 2>&1 || $tool setup-schema --version 0.0
  $tool update-schema --schema-dir "$schemas/$2/versioned"
}
deploy temporal temporal
deploy temporal_visibility visibility
