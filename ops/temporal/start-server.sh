#!/bin/sh
# Starts Temporal's server in its image, whose configuration takes these only from the environment.
set -eu
POSTGRES_PWD=$(cat /run/secrets/temporal-database-password)
TOKEN_AUDIENCE=$(cat /run/secrets/temporal-token-audience)
# With an empty one the server would take tokens of any.
: "${TOKEN_AUDIENCE:?}"
export POSTGRES_PWD TOKEN_AUDIENCE
exec /etc/temporal/entrypoint.sh
