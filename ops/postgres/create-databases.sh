#!/bin/sh
# The image runs this once, on a new database server. It creates the owner of the gateway's database, the role of each
# of its processes (what a role may do comes with the migrations), and Temporal's role and databases.
set -eu
# A role that only looks; a person gives it a password (docs/operating.md, Roles of the database).
roles="CREATE ROLE gateway_reader; CREATE ROLE gateway_worker;"
for name in api ingress panel payments rules webhooks command setup certificates; do
  roles="$roles
\\set password \`cat /run/secrets/gateway-$name-password\`
CREATE ROLE gateway_$name LOGIN PASSWORD :'password';"
done
psql --set ON_ERROR_STOP=1 --no-psqlrc --username postgres <<SQL
$roles
\set password \`cat /run/secrets/gateway-database-password\`
CREATE ROLE gateway LOGIN PASSWORD :'password';
CREATE DATABASE gateway OWNER gateway;
\set password \`cat /run/secrets/temporal-database-password\`
CREATE ROLE temporal LOGIN PASSWORD :'password';
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
REVOKE ALL ON DATABASE gateway, temporal, temporal_visibility, postgres, template1 FROM PUBLIC;
\connect gateway
\i /ops/administrator.sql
SQL
