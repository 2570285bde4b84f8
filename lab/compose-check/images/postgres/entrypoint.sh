#!/bin/bash
# The official contract: an empty PGDATA is initialised with the superuser's password (or its file), a server that
# listens on the socket only runs /docker-entrypoint-initdb.d, ends, and the real one follows. As root it hands over to
# the user postgres.
set -Eeo pipefail
if [ -n "$POSTGRES_PASSWORD_FILE" ]; then
  POSTGRES_PASSWORD=$(cat "$POSTGRES_PASSWORD_FILE")
  export POSTGRES_PASSWORD
  unset POSTGRES_PASSWORD_FILE
fi
: "${POSTGRES_USER:=postgres}"
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /var/run/postgresql && chmod 0700 "$PGDATA" && chmod 03775 /var/run/postgresql
  find "$PGDATA" /var/run/postgresql ! -user postgres -exec chown postgres {} +
  exec gosu postgres "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  [ -n "$POSTGRES_PASSWORD" ] || { echo 'Error: Database is uninitialized and superuser password is not specified.' >&2; exit 1; }
  initdb -D "$PGDATA" --username="$POSTGRES_USER" --pwfile=<(printf '%s\n' "$POSTGRES_PASSWORD")
  printf '\nhost all all all scram-sha-256\n' >> "$PGDATA/pg_hba.conf"
  # The official image has both in its sample.
  printf "listen_addresses = '*'\nunix_socket_directories = '/var/run/postgresql'\n" >> "$PGDATA/postgresql.conf"
  pg_ctl -D "$PGDATA" -o "-c listen_addresses=''" -w start
  for file in /docker-entrypoint-initdb.d/*; do
    case "$file" in *.sh) echo "$0: running $file"; "$file" ;; *) echo "$0: ignoring $file" ;; esac
  done
  pg_ctl -D "$PGDATA" -m fast -w stop
  echo 'PostgreSQL init process complete; ready for start up.'
fi
unset POSTGRES_PASSWORD
exec "$@"
