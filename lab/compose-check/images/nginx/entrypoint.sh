#!/bin/sh
# /docker-entrypoint.d runs only when the command itself is nginx.
set -e
if [ "$1" = nginx ] || [ "$1" = nginx-debug ]; then
  find /docker-entrypoint.d/ -follow -type f -name '*.sh' -print | sort -V | while read -r file; do
    if [ -x "$file" ]; then echo "$0: Launching $file"; "$file"; else echo "$0: Ignoring $file, not executable"; fi
  done
fi
exec "$@"
