import { useEffect, useEffectEvent, useState } from 'react'
import { toFault } from '#web/api/fault.ts'
import { uploadFile } from '#web/api/upload-file.ts'
import type { FileSending, FileUnsent } from '#web/parts/files-under-way.tsx'
import { say } from '#web/parts/live-region.tsx'
import type { FileElement } from '#web/rules/file-value.ts'

/**
 * Files on their way to the service; what does not arrive can be sent again. `onEnd` hears of each once: what it is
 * there, or null where it did not arrive or was stopped.
 */
export function useSending(onEnd: (file: File, sent: FileElement | null) => void) {
  const [sending, setSending] = useState<readonly FileSending[]>([])
  const [unsent, setUnsent] = useState<readonly FileUnsent[]>([])
  const send = async (file: File) => {
    const control = new AbortController()
    const { signal } = control
    const stop = () => control.abort()
    const isOther = (each: { file: File }) => each.file !== file
    setUnsent((old) => old.filter(isOther))
    setSending((old) => [...old, { file, percent: 0, stop }])
    const onProgress = (share: number) => {
      const percent = Math.floor(share * 100)
      const isNews = (each: FileSending) => each.file === file && each.percent !== percent
      setSending((old) =>
        old.some(isNews) ? old.map((each) => (isNews(each) ? { ...each, percent } : each)) : old,
      )
    }
    try {
      onEnd(file, await uploadFile(file, { signal, onProgress }))
      say(`Sent ${file.name}`)
    } catch (error) {
      if (!signal.aborted) setUnsent((old) => [...old, { file, why: wordsOf(error) }])
      onEnd(file, null)
    }
    setSending((old) => old.filter(isOther))
  }
  const stopAll = useEffectEvent(() => {
    for (const { stop } of sending) stop()
  })
  useEffect(() => () => stopAll(), [])
  return { sending, unsent, send: (file: File) => void send(file), forget: () => setUnsent([]) }
}

function wordsOf(error: unknown): string {
  const { message, suggestion } = toFault(error)
  return [message, suggestion].filter(Boolean).join('. ')
}
