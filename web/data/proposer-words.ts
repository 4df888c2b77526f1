import { useQuery } from '@tanstack/react-query'
import { meQuery } from '#web/data/me-query.ts'
import type { ListedProposal } from '#web/data/proposals-query.ts'
import { useNameOfUser } from '#web/data/users-query.ts'
import { doerWords } from '#web/rules/change-words.ts'

/** Says who proposed something: `you`, `Claude Code for Ada`. */
export function useProposerWords(): (proposal: ListedProposal) => string {
  const me = useQuery(meQuery).data?.user_id
  const nameOf = useNameOfUser()
  return ({ user_id, source, client }) =>
    doerWords({ user_id, user_name: nameOf(user_id), source: source ?? 'rest', client }, me)
}
