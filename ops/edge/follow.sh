#!/bin/sh
# Keeps nginx's configuration up to date. The nginx image runs it before nginx (/docker-entrypoint.d). It fills the
# template once, then keeps running and fills it again when the set of ready apis or ingresses, a certificate or the
# revocation list changes. A stopping process reports it on /healthz while it still serves, so no request is refused.
set -u
template=/etc/gateway/gateway.conf.template
target=/tmp/gateway.conf
# The container's health check reads the age of this file.
alive=/tmp/edge-follows

ready() { # HOST PORT: the addresses of its processes that are ready
  getent ahostsv4 "$1" | awk '{ print $1 }' | sort -u | while read -r address; do
    curl --silent --fail --output /dev/null --max-time 1 "http://$address:$2/healthz" && echo "$address"
  done | tr '\n' ' '
}

servers() { # PORT ADDRESS…: an nginx server line each; without any, one that refuses connections (the template answers 503)
  port=$1 && shift
  [ $# -gt 0 ] || printf 'server 127.0.0.1:9;'
  for address in "$@"; do printf 'server %s:%s max_fails=3 fail_timeout=2s; ' "$address" "$port"; done
}

# A reload closes idle connections, even one on which a request is on its way. nginx can wait for it, from 1.27.4 on.
version=$(nginx -v 2>&1 | sed 's|.*nginx/||; s| .*||')
EDGE_KEEPALIVE_MIN_TIMEOUT=''
[ "$(printf '1.27.4\n%s\n' "$version" | sort -V | head -1)" = 1.27.4 ] && EDGE_KEEPALIVE_MIN_TIMEOUT='keepalive_min_timeout 10s;'
export EDGE_KEEPALIVE_MIN_TIMEOUT

fill() {
  # The lists are split into their addresses.
  # shellcheck disable=SC2086
  EDGE_API_SERVERS=$(servers 7800 $apis) EDGE_INGRESS_SERVERS=$(servers 7801 $ingresses)
  export EDGE_API_SERVERS EDGE_INGRESS_SERVERS
  # Replace only EDGE_ variables: nginx variables look the same.
  # shellcheck disable=SC2016
  envsubst "$(env | sed -n 's/^\(EDGE_[A-Z_]*\)=.*/${\1}/p' | tr '\n' ' ')" < "$template" > "$target.new" && mv "$target.new" "$target"
}

certificates() { cat /edge/*.pem /edge/*.conf 2>/dev/null | cksum; }

# Without a ready one nothing changes: the next request may find one that is back.
look() {
  found=$(ready "$EDGE_API_HOST" 7800) && apis=${found:-$apis}
  found=$(ready "$EDGE_INGRESS_HOST" 7801) && ingresses=${found:-$ingresses}
}

follow() {
  while sleep 1; do
    touch "$alive"
    look
    now="$apis/$ingresses/$(certificates)"
    [ "$now" != "$seen" ] || continue
    echo "edge: apis ready: $apis, ingresses ready: $ingresses"
    seen=$now
    fill && nginx -c /etc/gateway/nginx.conf -s reload
  done
}

apis='' ingresses=''
look
seen="$apis/$ingresses/$(certificates)"
fill
touch "$alive"
follow &
