import { useEffect, useEffectEvent, useState } from 'react'
import { uploadFile } from '#web/api/upload-file.ts'
import { say } from '#web/parts/live-region.tsx'
import type { FileElement } from '#web/rules/file-value.ts'

interface Sending {
  file: File
  stop: AbortController
}

/** What did not arrive, and why. */
interface Unsent {
  file: File
  why: string
}

/** Files on their way to the service; what does not arrive can be sent again. */
export function useSending(onSent: (sent: FileElement) => void) {
  const [sending, setSending] = useState<readonly Sending[]>([])
  const [unsent, setUnsent] = useState<readonly Unsent[]>([])
  const send = async (file: File) => {
    const one = { file, stop: new AbortController() }
    const { signal } = one.stop
    setUnsent((old) => old.filter((each) => each.file !== file))
    setSending((old) => [...old, one])
    try {
      onSent(await uploadFile(file, signal))
      say(`Sent ${file.name}`)
    } catch (error) {
      if (!signal.aborted) setUnsent((old) => [...old, { file, why: (error as Error).message }])
    }
    setSending((old) => old.filter((each) => each !== one))
  }
  const stopAll = useEffectEvent(() => {
    for (const { stop } of sending) stop.abort()
  })
  useEffect(() => () => stopAll(), [])
  return { sending, unsent, send: (file: File) => void send(file) }
}
