const MAX_NAME = 200

/** A table is called as its file is, without what says its format. */
export function tableName(file: string): string {
  const base = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
  const name = base.replace(/\.(?:csv|tsv|txt|xlsx|json|jsonl|ndjson|zip|md)$/i, '').trim()
  return (name || 'Table').slice(0, MAX_NAME)
}
