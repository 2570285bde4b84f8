#!/bin/sh
# Starts Temporal's server in its image, whose configuration takes the password only from the environment.
set -eu
POSTGRES_PWD=$(cat /run/secrets/temporal-database-password)
export POSTGRES_PWD
# Who its callers are, and which tasks it handed to whom (server/main.go). Without them it does not start.
export TEMPORAL_TOKEN_KEYS_FILE=/run/secrets/temporal-token-keys
export TEMPORAL_TOKEN_AUDIENCE_FILE=/run/secrets/temporal-token-audience
export TEMPORAL_TASK_KEY_FILE=/run/secrets/temporal-task-key
exec /etc/temporal/entrypoint.sh
