import { useState } from 'react'
import { Button } from '#web/parts/button.tsx'
import { say } from '#web/parts/live-region.tsx'

/** Puts a text into the clipboard, and says so. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
      say('Copied')
      setTimeout(() => setDone(false), 2000)
    } catch {
      say('The browser does not let this page copy: select the text instead')
    }
  }
  return (
    <Button icon={isDone ? 'check' : 'copy'} onClick={() => void copy()}>
      {isDone ? 'Copied' : label}
    </Button>
  )
}
