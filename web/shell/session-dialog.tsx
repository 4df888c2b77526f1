import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { SignInForm } from '#web/account/sign-in-form.tsx'
import { call } from '#web/api/call.ts'
import { getMe } from '#web/api/operations.ts'
import { setSessionState } from '#web/api/session-state.ts'
import { meQuery, nameOfUser } from '#web/data/me-query.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'
import { Name } from '#web/parts/name.tsx'

/** Who has signed in by another tab meanwhile; null: nobody. */
const signedInQuery = queryOptions({
  queryKey: ['signed_in_elsewhere'],
  queryFn: async ({ signal }) => {
    const answer = await call(getMe, {}, { signal, anonymous: true }).catch(() => null)
    return answer?.data ?? null
  },
  staleTime: 0,
  gcTime: 0,
})

/** Asks for the sign-in over the page, so that what is typed there stays; then all that waited goes on. */
export function SessionDialog() {
  const client = useQueryClient()
  const [, go] = useLocation()
  const me = client.getQueryData(meQuery.queryKey)
  const other = useQuery(signedInQuery).data
  const isBack = other?.user_id !== undefined && other.user_id === me?.user_id
  useEffect(() => {
    if (isBack) setSessionState('signed_in')
  }, [isBack])
  const leave = () => {
    setSessionState('signed_out')
    go('/sign-in')
  }
  return (
    <Dialog
      title="Your session has ended"
      onClose={leave}
      firm
      footer={
        <>
          <Button kind="quiet" onClick={leave}>
            Leave this page
          </Button>
          {other && !isBack && (
            <Button onClick={() => location.assign('/')}>
              <span>
                Go on as <Name of={nameOfUser(other)} />
              </span>
            </Button>
          )}
        </>
      }
    >
      <p>
        {other && !isBack && 'Another account has signed in in this browser. '}
        Sign in again to go on. What you have typed is still here.
      </p>
      <SignInForm stays {...(me && { only: me })} onDone={() => setSessionState('signed_in')} />
    </Dialog>
  )
}
