import { type Role, ROLES } from '#src/domain/caller.ts'

const ANYBODY = '*'

/** The highest role that fits a claim, which is a value or a list of such (further §21); null: none does. */
export function roleOf(claim: unknown, roles: Readonly<Record<string, Role>>): Role | null {
  const values = new Set([claim].flat().filter(isPlain).map(String))
  const fitting = new Set(
    Object.entries(roles).flatMap(([value, role]) => (value === ANYBODY || values.has(value) ? [role] : [])),
  )
  return ROLES.find((role) => fitting.has(role)) ?? null
}

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
