#!/bin/bash
# Listens on the container's own address, fills the configuration template from the environment, and starts the server.
set -eu -o pipefail
: "${BIND_ON_IP:=$(getent hosts "$(hostname)" | awk '{ print $1; exit }')}"
export BIND_ON_IP
render /etc/temporal/config/config_template.yaml > /etc/temporal/config/docker.yaml
flags=()
for one in $(tr ":," "  " <<< "${SERVICES:-}"); do flags+=("--service=$one"); done
exec temporal-server --root /etc/temporal --env docker start "${flags[@]}"
