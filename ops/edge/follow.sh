#!/bin/sh
# Keeps nginx's configuration true to what is there. Run by the nginx image before nginx itself (/docker-entrypoint.d): fills the
# template once, then goes on beside nginx and fills it again whenever another set of apis is ready, or a certificate or the
# revocation list has changed. An api that was told to end says so on /healthz while it still serves, so nothing is refused.
set -u
template=/etc/gateway/gateway.conf.template
target=/tmp/gateway.conf
# The health check looks at its age.
alive=/tmp/edge-follows

ready_apis() {
  getent ahostsv4 "$EDGE_API_HOST" | awk '{ print $1 }' | sort -u | while read -r address; do
    curl --silent --fail --output /dev/null --max-time 1 "http://$address:7800/healthz" && echo "$address"
  done
}

servers() { # PORT: one line of nginx's for each api; with none ready, one that refuses, which the template answers with 503
  [ -n "$apis" ] || printf 'server 127.0.0.1:9;'
  for address in $apis; do printf 'server %s:%s max_fails=3 fail_timeout=2s; ' "$address" "$1"; done
}

fill() {
  EDGE_API_SERVERS=$(servers 7800) EDGE_INGRESS_SERVERS=$(servers 7801)
  export EDGE_API_SERVERS EDGE_INGRESS_SERVERS
  # Only our own variables: nginx has variables that look alike.
  # shellcheck disable=SC2016
  envsubst "$(env | sed -n 's/^\(EDGE_[A-Z_]*\)=.*/${\1}/p' | tr '\n' ' ')" < "$template" > "$target.new" && mv "$target.new" "$target"
}

certificates() { cat /edge/*.pem 2>/dev/null | cksum; }

follow() {
  while sleep 1; do
    touch "$alive"
    found=$(ready_apis | tr '\n' ' ') files=$(certificates)
    # With none ready it stays as it is: the next request may find one that has come back.
    [ -n "$found" ] || found=$apis
    [ "$found" != "$apis" ] || [ "$files" != "$seen" ] || continue
    echo "edge: apis ready: $found"
    apis=$found seen=$files
    fill && nginx -c /etc/gateway/nginx.conf -s reload
  done
}

apis=$(ready_apis | tr '\n' ' ') seen=$(certificates)
fill
touch "$alive"
follow &
