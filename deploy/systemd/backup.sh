#!/bin/sh
# Dumps the database `skedchange` into a folder, and deletes dumps of more than 14 days ago. A dump that was cut off
# ends in `.part`.
set -eu
umask 077
file="$1/skedchange-$(date -u +%Y-%m-%dT%H%M%SZ).dump"
pg_dump --format=custom --file="$file.part" skedchange
mv "$file.part" "$file"
find "$1" \( -name 'skedchange-*.dump' -o -name 'skedchange-*.dump.part' \) -mtime +14 -delete
