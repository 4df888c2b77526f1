// Runs in the sandboxed frame of one component: draws what the page hands over, reports its height and its faults.
import { createFrameRoot, Component, type ComponentType, createElement, type ReactNode } from 'react'

export interface Handed {
  /** An ES module whose default export is the component; it imports nothing but `react`. */
  js: string
  css: string
  theme: 'light' | 'dark'
}

export type Reported = { height: number } | { fault: string }

/** No policy governs these. Every nested frame is of another origin and cannot give them back. */
for (const name of [
  'RTCPeerConnection',
  'webkitRTCPeerConnection',
  'RTCDataChannel',
  'RTCIceTransport',
  'WebTransport',
])
  Reflect.deleteProperty(globalThis, name)

addEventListener(
  'message',
  (event: MessageEvent<Handed>) => {
    const [port] = event.ports
    if (event.source === parent && port) void show(event.data, (reported) => port.postMessage(reported))
  },
  { once: true },
)

async function show({ js, css, theme }: Handed, report: (reported: Reported) => void): Promise<void> {
  document.documentElement.dataset.theme = theme
  const style = document.createElement('style')
  style.textContent = css
  document.head.append(style)
  const root = document.getElementById('root')!
  const fail = (fault: unknown) => report({ fault: String(fault) })
  addEventListener('error', ({ message }) => fail(message))
  addEventListener('unhandledrejection', ({ reason }) => fail(reason))
  new ResizeObserver(() => report({ height: Math.ceil(root.getBoundingClientRect().height) })).observe(root)
  try {
    const url = URL.createObjectURL(new Blob([js], { type: 'text/javascript' }))
    const made = (await import(url)) as { default: ComponentType }
    const drawn = createElement(made.default)
    createFrameRoot(root).render(createElement(Boundary, { fail }, drawn))
  } catch (error) {
    fail(error)
  }
}

class Boundary extends Component<{ fail: (fault: unknown) => void; children?: ReactNode }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override componentDidCatch(error: unknown) {
    this.props.fail(error)
  }

  override render() {
    return this.state.broken ? null : this.props.children
  }
}
