import { useQuery } from '@tanstack/react-query'
import { meQuery } from '#web/data/me-query.ts'

/** Whether one may change the base; a reader may not. Until it is known, nothing is offered that would be refused. */
export const useMayWrite = (): boolean => {
  const role = useQuery(meQuery).data?.role
  return role !== undefined && role !== 'reader'
}
