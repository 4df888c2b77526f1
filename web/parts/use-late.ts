import { useEffect, useState } from 'react'

/** True once this many milliseconds have passed: what is waited for is not waited for longer. */
export function useLate(milliseconds: number): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), milliseconds)
    return () => clearTimeout(timer)
  }, [milliseconds])
  return late
}
