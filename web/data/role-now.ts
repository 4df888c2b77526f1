import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onForbidden } from '#web/api/session-state.ts'
import { meQuery } from '#web/data/me-query.ts'

/** Who was refused something may have another role by now: nothing more is offered then that would be refused. */
export function useRoleNow(): void {
  const client = useQueryClient()
  useEffect(() => onForbidden(() => void client.invalidateQueries({ queryKey: meQuery.queryKey })), [client])
}
