import { useEffect, useRef, useState } from 'react'
import { Icon } from '#web/parts/icon.tsx'
import type { ChatPart } from '#web/rules/chat-parts.ts'
import css from '#web/chat/component-frame.module.css'

type Drawn = Extract<ChatPart, { type: 'react_render' }>

/** Pixels. */
const LEAST = 40
const MOST = 800

/** What `frame.ts` reports. */
type Reported = { height: number } | { fault: string }

/** A component that the assistant made, in its cage: a page of another origin that can draw and reach nobody. */
export function ComponentFrame({ component }: { component: Drawn }) {
  const { title, js, css: styles } = component
  const [height, setHeight] = useState(LEAST)
  const [fault, setFault] = useState<string>()
  const port = useRef<MessagePort>(null)
  useEffect(() => () => port.current?.close(), [])
  const hand = (frame: HTMLIFrameElement) => {
    port.current?.close()
    const { port1, port2 } = new MessageChannel()
    port.current = port1
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const report = readReport(data)
      if (!report) return
      if ('fault' in report) setFault(report.fault)
      else setHeight(Math.min(MOST, Math.max(LEAST, report.height)))
    })
    port1.start()
    const theme = getComputedStyle(frame).colorScheme === 'dark' || isDark() ? 'dark' : 'light'
    // The frame has no origin of its own, so no other target can be named.
    frame.contentWindow!.postMessage({ js, css: styles, theme }, '*', [port2])
  }
  const called = title ?? 'Component of the assistant'
  return (
    <figure className={css.figure}>
      {title && <figcaption className={css.title}>{title}</figcaption>}
      <iframe
        key={`${js}\n${styles}`}
        className={css.frame}
        src="/frame/"
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        title={called}
        style={{ height }}
        onLoad={(event) => hand(event.currentTarget)}
      />
      {fault !== undefined && (
        <p className={css.fault} role="alert">
          <Icon name="alert" size={14} /> This component has failed: {fault.slice(0, 300)}
        </p>
      )}
    </figure>
  )
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === 'dark' || (theme === undefined && matchMedia('(prefers-color-scheme: dark)').matches)
}

/** The component runs next to the frame’s script, so what comes is a stranger’s. */
function readReport(data: unknown): Reported | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { height, fault } = data as { height?: unknown; fault?: unknown }
  if (typeof fault === 'string') return { fault }
  return typeof height === 'number' && Number.isFinite(height) ? { height } : undefined
}
