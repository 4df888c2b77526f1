import { useEffect, useState } from 'react'
import { findNames } from '#web/import/find-names.ts'
import type { ImportPlan } from '#web/rules/import-plan.ts'

type Found = ReadonlyMap<string, readonly string[]>
const NONE: Found = new Map()

/** The items that a plan refers to by their names; undefined while they are looked up. */
export function useFoundNames(plan: ImportPlan): Found | undefined {
  const [found, setFound] = useState<{ plan: ImportPlan; names: Found }>()
  useEffect(() => {
    if (!plan.names.length) return undefined
    const looking = new AbortController()
    findNames(plan.names, looking.signal).then(
      (names) => setFound({ plan, names }),
      () => undefined,
    )
    return () => looking.abort()
  }, [plan])
  if (!plan.names.length) return NONE
  return found?.plan === plan ? found.names : undefined
}
