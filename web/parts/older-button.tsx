import { Button } from '#web/parts/button.tsx'

interface OlderButtonProps {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<unknown>
}

/** Under a list, newest first, that is read in pages: the next one. Takes what `useInfiniteQuery` answers. */
export function OlderButton({ hasNextPage, isFetchingNextPage, fetchNextPage }: OlderButtonProps) {
  if (!hasNextPage) return null
  return (
    <div>
      <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {isFetchingNextPage ? 'Reading…' : 'Show older ones'}
      </Button>
    </div>
  )
}
