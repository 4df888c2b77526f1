import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#test/support/process.ts'

/**
 * Programs that stand in front of those of the machine: `npm` runs the commands of this checkout without npm and starts
 * a service until it is ready, `curl` ends a stream after a moment and fails where the service refuses.
 */
const STAND_INS: Readonly<Record<string, string>> = {
  facet: `exec "$PRINTED_NODE" "${ROOT}scripts/facet.js" "$@"`,
  npm: `
if [ "$1" = start ]; then
  out=$(mktemp)
  PORT=0 METRICS_PORT= DATABASE_URL="file:$PWD/started/facet.db" "$PRINTED_NODE" "${ROOT}scripts/start.js" >"$out" 2>&1 &
  until grep -q 'ready at' "$out"; do kill -0 $! || { cat "$out" >&2; exit 1; }; sleep 0.1; done
  kill $!
  wait $! || true
  exit 0
fi
[ "$1" = run ] || { echo "npm $* is not stood in for" >&2; exit 1; }
shift
[ "$1" != -s ] || shift
[ "$1 $2" = 'facet --' ] || { echo "npm run $* is not stood in for" >&2; exit 1; }
shift 2
exec facet "$@"`,
  curl: `
case " $* " in
  *' -sf '*) exec "$PRINTED_CURL" "$@" ;;
  *' -N '*) "$PRINTED_CURL" --fail-with-body --max-time 1 "$@" || [ $? = 28 ] ;;
  *) exec "$PRINTED_CURL" --fail-with-body "$@" ;;
esac`,
  // one NAME: the id of the item of that name.
  one: `
"$PRINTED_CURL" -sS -b cookies -H content-type:application/json "$PRINTED_URL/api/items/search" -d "{\\"filter\\": {\\"name\\": \\"$1\\"}}" |
  sed -n 's/.*"item_id": *"\\([^"]*\\)".*/\\1/p'`,
}

/** Puts them into a folder, for PATH. */
export function makeStandIns(folder: string): string {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(STAND_INS))
    writeFileSync(join(folder, name), `#!/bin/sh\nset -e\n${text.trim()}\n`, { mode: 0o755 })
  return folder
}
