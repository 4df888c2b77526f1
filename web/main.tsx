import '@fontsource-variable/inter/opsz.css'
import '#web/styles/tokens.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#web/app.tsx'
import { askFirstRows } from '#web/data/first-rows.ts'
import { serviceQuery } from '#web/data/service-query.ts'
import { alsoEmpty } from '#web/store.ts'

/** A call waits by itself for a service that is away, so nothing is asked twice here. */
const client = new QueryClient({
  defaultOptions: { queries: { staleTime: 30_000, retry: false, networkMode: 'always' } },
})

alsoEmpty(() => {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== serviceQuery.queryKey[0] })
  client.getMutationCache().clear()
  void client.invalidateQueries(serviceQuery)
})

// Both are asked for in the head of the page: what they wait for is this script.
void client
  .fetchQuery(serviceQuery)
  .then(({ signed_in }) => signed_in && askFirstRows(location))
  .catch(() => undefined) // the application says it

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
