import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { SignInForm } from '#web/account/sign-in-form.tsx'
import { setSessionState } from '#web/api/session-state.ts'
import { meQuery } from '#web/data/me-query.ts'
import { Button } from '#web/parts/button.tsx'
import { Dialog } from '#web/parts/dialog.tsx'

/** Asks for the sign-in over the page, so that what is typed there stays; then all that waited goes on. */
export function SessionDialog() {
  const client = useQueryClient()
  const [, go] = useLocation()
  const me = client.getQueryData(meQuery.queryKey)
  const leave = () => {
    go('/sign-in')
    setSessionState('signed_out')
  }
  return (
    <Dialog
      title="Your session has ended"
      onClose={leave}
      firm
      footer={
        <Button kind="quiet" onClick={leave}>
          Leave this page
        </Button>
      }
    >
      <p>Sign in again to go on. What you have typed is still here.</p>
      <SignInForm stays {...(me && { only: me })} onDone={() => setSessionState('signed_in')} />
    </Dialog>
  )
}
