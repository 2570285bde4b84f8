#!/bin/sh
# Keeps nginx's configuration up to date. The nginx image runs it before nginx (/docker-entrypoint.d). It fills the template once,
# then keeps running and fills it again when the set of ready apis, a certificate or the revocation list changes. A stopping api
# reports it on /healthz while it still serves, so no request is refused.
set -u
template=/etc/gateway/gateway.conf.template
target=/tmp/gateway.conf
# The container's health check reads the age of this file.
alive=/tmp/edge-follows

ready_apis() {
  getent ahostsv4 "$EDGE_API_HOST" | awk '{ print $1 }' | sort -u | while read -r address; do
    curl --silent --fail --output /dev/null --max-time 1 "http://$address:7800/healthz" && echo "$address"
  done
}

servers() { # PORT: an nginx server line per api; without a ready api, one that refuses connections (the template answers 503)
  [ -n "$apis" ] || printf 'server 127.0.0.1:9;'
  for address in $apis; do printf 'server %s:%s max_fails=3 fail_timeout=2s; ' "$address" "$1"; done
}

fill() {
  EDGE_API_SERVERS=$(servers 7800) EDGE_INGRESS_SERVERS=$(servers 7801)
  export EDGE_API_SERVERS EDGE_INGRESS_SERVERS
  # Replace only EDGE_ variables: nginx variables look the same.
  # shellcheck disable=SC2016
  envsubst "$(env | sed -n 's/^\(EDGE_[A-Z_]*\)=.*/${\1}/p' | tr '\n' ' ')" < "$template" > "$target.new" && mv "$target.new" "$target"
}

certificates() { cat /edge/*.pem /edge/*.conf 2>/dev/null | cksum; }

follow() {
  while sleep 1; do
    touch "$alive"
    found=$(ready_apis | tr '\n' ' ') files=$(certificates)
    # Without a ready api nothing changes: the next request may find one that is back.
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
