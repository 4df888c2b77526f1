import { useRef, useState } from 'react'
import { Listbox } from '#web/parts/listbox.tsx'
import type { User } from '#web/data/me-query.ts'

export type Role = User['role']

export const ROLES: readonly (readonly [Role, string])[] = [
  ['owner', 'Owner: everything, people too'],
  ['editor', 'Editor: changes the base'],
  ['reader', 'Reader: reads'],
]

interface RoleSelectProps {
  /** Whose it is. */
  name: string
  role: Role
  /** Settles when the role is stored, or is not. */
  onRole: (role: Role) => Promise<void>
}

/** Shows what was chosen at once, and what is stored again where that failed; the last choice is written last. */
export function RoleSelect({ name, role, onRole }: RoleSelectProps) {
  const [chosen, setChosen] = useState<Role>()
  const queue = useRef(Promise.resolve())
  const choose = async (next: Role) => {
    setChosen(next)
    const before = queue.current
    const turn = (async () => {
      await before
      await onRole(next)
    })()
    queue.current = turn
    await turn
    if (queue.current === turn) setChosen(undefined)
  }
  return (
    <Listbox
      label={`Role of ${name}`}
      value={chosen ?? role}
      options={ROLES}
      onValue={(next) => void choose(next)}
    />
  )
}
