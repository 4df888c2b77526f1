import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Redirect, Route, Router, Switch, useLocation, useSearchParams } from 'wouter'
import { sessionState, setSessionState, useSessionState } from '#web/api/session-state.ts'
import { useHears } from '#web/data/last-heard.ts'
import { usePreference } from '#web/data/preferences.ts'
import { serviceQuery } from '#web/data/service-query.ts'
import { Button } from '#web/parts/button.tsx'
import { keepComposing } from '#web/parts/composing-keys.ts'
import { EmptyState } from '#web/parts/empty-state.tsx'
import { ErrorBoundary } from '#web/parts/error-boundary.tsx'
import { focusPage, keepFocus } from '#web/parts/keep-focus.ts'
import { dispatchKeys } from '#web/parts/key-dispatch.ts'
import { LiveRegion } from '#web/parts/live-region.tsx'
import { refuseStrayFiles } from '#web/parts/stray-files.ts'
import { Toasts } from '#web/parts/toast.tsx'
import { useGuardedLocation } from '#web/parts/use-leave-guard.ts'
import { ALIASES, type PageRoute, ROUTES } from '#web/routes.ts'
import { NotFound } from '#web/shell/not-found.tsx'
import { ServiceGone } from '#web/shell/service-gone.tsx'
import { Shell } from '#web/shell/shell.tsx'

export function App() {
  return (
    // oxlint-disable-next-line react/hooks -- the router takes its hook so
    <Router hook={useGuardedLocation}>
      <Pages />
      <Toasts />
      <ServiceGone />
      <LiveRegion />
    </Router>
  )
}

/** Whether somebody is signed in is asked once; from then on the calls say so. */
function Pages() {
  const service = useQuery(serviceQuery)
  const session = useSessionState()
  const hears = useHears()
  const singleKeys = usePreference('single_keys')
  useEffect(() => dispatchKeys(() => singleKeys === 'on'), [singleKeys])
  useEffect(keepFocus, [])
  useEffect(keepComposing, [])
  useEffect(refuseStrayFiles, [])
  useEffect(() => {
    if (service.data && sessionState() === 'unknown')
      setSessionState(service.data.signed_in ? 'signed_in' : 'signed_out')
  }, [service.data])
  if (service.error)
    return (
      <EmptyState whole icon="alert" title="Facet cannot start">
        <p role="alert">{service.error.message}</p>
        <Button onClick={() => void service.refetch()}>Try again</Button>
      </EmptyState>
    )
  if (session === 'unknown') return <div data-starting />
  const signedIn = session !== 'signed_out'
  // After a sign-in it is asked again: what pages read before it is known from where on they hear would stay as it was.
  const isStarting = signedIn && !hears && service.isFetching
  return <Routes signedIn={signedIn} isStarting={isStarting} />
}

function Routes({ signedIn, isStarting }: { signedIn: boolean; isStarting: boolean }) {
  const bare = ROUTES.filter((route) => route.bare)
  const inside = ROUTES.filter((route) => !route.bare)
  return (
    <Switch>
      {bare.map((route) => (
        <Route key={route.path} path={route.path}>
          <Page route={route} />
        </Route>
      ))}
      <Route>
        <UnlessInvited>
          {isStarting ? (
            <div data-starting />
          ) : signedIn ? (
            <Shell>
              <Switch>
                {inside.map((route) => (
                  <Route key={route.path} path={route.path + (route.rest ?? '')}>
                    <Page route={route} />
                  </Route>
                ))}
                {ALIASES.map(([from, to]) => (
                  <Route key={from} path={from}>
                    <Redirect to={to} replace />
                  </Route>
                ))}
                <Route>
                  <NotFound />
                </Route>
              </Switch>
            </Shell>
          ) : (
            <ToSignIn />
          )}
        </UnlessInvited>
      </Route>
    </Switch>
  )
}

function Page({ route: { title, page: Content } }: { route: PageRoute }) {
  const [path] = useLocation()
  useEffect(() => {
    document.title = `${title} · Facet`
    // Gone to by a link: from there keys go on in the page.
    if (document.activeElement?.closest('nav')) focusPage()
  }, [title, path])
  return (
    <ErrorBoundary resetBy={path}>
      <Content />
    </ErrorBoundary>
  )
}

/** The address of an invitation leads to its page, whoever is signed in. */
function UnlessInvited({ children }: { children: ReactNode }) {
  const invitation = useSearchParams()[0].get('invitation')
  if (invitation === null) return children
  return <Redirect to={`/invite/${encodeURIComponent(invitation)}`} replace />
}

/** Back to where they were going, once they have signed in. */
function ToSignIn() {
  const { pathname, search } = location
  const given = new URLSearchParams(search)
  const error = given.get('auth_error')
  const to = new URLSearchParams(error ? { auth_error: error } : { next: pathname + search })
  return <Redirect to={to.get('next') === '/' ? '/sign-in' : `/sign-in?${to}`} replace />
}
