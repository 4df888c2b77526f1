import { useQuery } from '@tanstack/react-query'
import { serviceQuery } from '#web/data/service-query.ts'

/** Whether passwords sign anybody in here. */
export const usePasswords = (): boolean => useQuery(serviceQuery).data?.passwords !== false
