#!/bin/sh
# The image runs this once, on a new database server. It creates a role and the databases of the gateway and of Temporal.
set -eu
psql --set ON_ERROR_STOP=1 --no-psqlrc --username postgres <<'SQL'
\set gateway_password `cat /run/secrets/gateway-database-password`
\set temporal_password `cat /run/secrets/temporal-database-password`
CREATE ROLE gateway LOGIN PASSWORD :'gateway_password';
CREATE DATABASE gateway OWNER gateway;
CREATE ROLE temporal LOGIN PASSWORD :'temporal_password';
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
SQL
