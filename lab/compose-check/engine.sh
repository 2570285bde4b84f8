#!/usr/bin/env bash
# A Docker engine of its own, for machines that have none: Docker from Debian's packages, unpacked and not installed,
# and Compose v2 built from its Go module. Usage: engine.sh start|stop FOLDER; needs root, Go and apt-get, no systemd.
# Stopping it leaves the firewall's rules as they were. `start` prints the variables with which docker and docker
# compose reach it.
set -euo pipefail
action=$1 folder=$2
COMPOSE_VERSION=v2.40.3
# Networks that docker-compose.yml does not name.
BRIDGE=172.31.77.1/24 POOL=172.31.128.0/17
mkdir -p "$folder" && cd "$folder"
programs=$folder/root/usr/sbin:$folder/root/usr/bin
export PATH=$programs:$PATH

install_packages() {
  # The engine calls these by name; the rest is unpacked next to it.
  local missing=()
  for pair in iptables:iptables runc:runc; do command -v "${pair%%:*}" >/dev/null || missing+=("${pair##*:}"); done
  apt-get update -q >/dev/null
  [ ${#missing[@]} = 0 ] || apt-get install -qy --no-install-recommends "${missing[@]}" >/dev/null
  mkdir -p packages && (cd packages && apt-get download -q -o APT::Sandbox::User=root docker.io containerd tini libdevmapper1.02.1 >/dev/null)
  for package in packages/*.deb; do dpkg -x "$package" root; done
}

# A module that only names Compose: its own `exclude` lines are copied, because they count in the main module alone.
build_compose() {
  local module=github.com/docker/compose/v2
  mkdir -p compose cli-plugins && cd compose
  printf 'module composecheck\n\ngo 1.24.0\n' > go.mod
  printf '//go:build tools\n\npackage tools\n\nimport _ "%s/cmd"\n' "$module" > tools.go
  go mod download "$module@$COMPOSE_VERSION"
  sed -n '/^exclude/,/^)/p' "$(go env GOMODCACHE)/cache/download/$module/@v/$COMPOSE_VERSION.mod" >> go.mod
  go get "$module/cmd@$COMPOSE_VERSION" >/dev/null 2>&1
  CGO_ENABLED=0 go build -ldflags "-X $module/internal.Version=$COMPOSE_VERSION" -o ../cli-plugins/docker-compose "$module/cmd"
  cd ..
}

answers() { docker --host "unix://$folder/docker.sock" info >/dev/null 2>&1; }

start() {
  [ -x root/usr/sbin/dockerd ] || install_packages
  [ -x cli-plugins/docker-compose ] || build_compose
  if ! answers; then
    iptables-save > firewall.before
    # An engine that was ended in the middle leaves half a network here, on which the next one panics.
    rm -rf data/network
    echo '{}' > daemon.json
    setsid nice -n 5 dockerd --config-file "$folder/daemon.json" --data-root "$folder/data" --exec-root "$folder/exec" \
      --pidfile "$folder/dockerd.pid" --host "unix://$folder/docker.sock" --bip "$BRIDGE" \
      --default-address-pool "base=$POOL,size=24" --exec-opt native.cgroupdriver=cgroupfs > dockerd.log 2>&1 < /dev/null &
    for _ in $(seq 60); do answers && break || sleep 0.5; done
    answers || { tail -5 dockerd.log >&2; exit 1; }
  fi
  printf 'DOCKER_HOST=unix://%s/docker.sock\nDOCKER_CONFIG=%s\nPATH=%s:%s\n' "$folder" "$folder" "$folder/root/usr/bin" "${PATH#"$programs":}"
}

stop() {
  [ -s dockerd.pid ] || return 0
  local pid; pid=$(cat dockerd.pid)
  kill "$pid" 2>/dev/null || true
  while kill -0 "$pid" 2>/dev/null; do sleep 0.2; done
  ip link delete docker0 2>/dev/null || true
  # Where there was no rule, nothing was saved: the tables are emptied first.
  [ ! -e firewall.before ] || { printf '*filter\n:FORWARD ACCEPT\nCOMMIT\n*nat\nCOMMIT\n'; cat firewall.before; } | iptables-restore
}

case $action in start) start ;; stop) stop ;; *) echo "usage: engine.sh start|stop FOLDER" >&2; exit 2 ;; esac
