#!/bin/sh
# Ask a long question as a job with curl, and have its answer once, whatever is restarted or lost in between.
#
# sh examples/job_client.sh URL KIND FIELDS: prints each event as its number, its kind and its data.
set -eu
url=$1 kind=$2 fields=$3
key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n') # the same for each retry, so that all of them are one job
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
end=$(($(date +%s) + 300)) # seconds that all of it may take
place='' last=0

pause() { # until the time that the service names, or for a second
	test "$(date +%s)" -lt "$end" || { echo "no answer within 300 s" >&2; exit 1; }
	sleep "$(sed -n 's/^retry-after: *\([0-9]*\).*/\1/Ip' "$work/head" 2>/dev/null | grep . || echo 1)"
}

while true; do
	: > "$work/head"
	if test -z "$place"; then
		status=$(curl -s --max-time 30 -D "$work/head" -o "$work/body" -w '%{http_code}' "$url/v1/jobs/$kind" \
			-H 'Content-Type: application/json' -H "Idempotency-Key: $key" -d "$fields") || status=000
		case $status in
			202) place=$(tr -d '\r' < "$work/head" | sed -n 's/^location: //Ip') ;;
			000 | 429 | 502 | 503 | 504) pause; continue ;; # the service or a proxy before it has no place, or is away
			*) cat "$work/body" >&2; exit 1 ;;
		esac
	fi
	# Each event is three lines and an empty one; one that was cut off is sent again
	curl -sN --max-time 300 --speed-limit 1 --speed-time 30 --fail -D "$work/head" "$url$place/events" -H "Last-Event-ID: $last" |
		awk -v sent="$work/last" '
			/^id: / { id = substr($0, 5) }
			/^event: / { kind = substr($0, 8) }
			/^data: / { data = substr($0, 7) }
			/^$/ && id != "" { print id, kind, data; fflush(); print id, kind > sent; close(sent); id = "" }
		' || true
	if test -s "$work/last"; then
		read -r last state < "$work/last"
		case $state in done | cancelled | error) exit 0 ;; esac
	fi
	pause
done
