import { type RefObject, useLayoutEffect, useRef } from 'react'

/** What is called later, as it is then. The reference stays the same: what is given it is not drawn again for it. */
export function useCurrent<Value>(value: Value): RefObject<Value> {
  const current = useRef(value)
  useLayoutEffect(() => {
    current.current = value
  })
  return current
}
