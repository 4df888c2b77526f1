import { readFileSync, statSync } from 'node:fs'

/** A secret is a line or a key; a file that is longer was named by mistake. */
const MAX_BYTES = 64 * 1024

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The text of secrets that are in files, as container platforms hand them over: `NAME_FILE` names the file whose
 * content is `NAME` (further §21). A file wins over nothing but an empty variable; both at once are a fault.
 */
export function readSecretFiles(
  environment: Environment,
  secrets: readonly string[],
  problems: string[],
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of secrets) {
    const file = environment[`${name}_FILE`]?.trim()
    if (!file) continue
    if (environment[name]?.trim()) {
      problems.push(`${name} and ${name}_FILE exclude each other`)
      continue
    }
    try {
      found[name] = textOf(file)
    } catch (error) {
      problems.push(`${name}_FILE: ${inWords(file, error as NodeJS.ErrnoException)}`)
    }
  }
  return found
}

function inWords(file: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === undefined) return message
  const why = code === 'ENOENT' ? 'is not there' : `cannot be read (${code})`
  return `'${file}' ${why}; it is the path of a file that holds the secret alone`
}

function textOf(file: string): string {
  const { size } = statSync(file)
  if (size > MAX_BYTES) throw new Error(`'${file}' has ${size} bytes, more than the ${MAX_BYTES} of a secret`)
  const text = readFileSync(file, 'utf8').trim()
  if (!text) throw new Error(`'${file}' is empty`)
  return text
}
