#!/bin/sh
# What is no command is given to node.
set -e
if [ "${1#-}" != "$1" ] || ! command -v "$1" >/dev/null 2>&1; then set -- node "$@"; fi
exec "$@"
