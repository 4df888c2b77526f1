import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { FaultLine } from '#web/parts/fault-line.tsx'
import css from '#web/table/cell-editor.module.css'

interface EditorBoxProps {
  box: DOMRect
  fault?: string | undefined
  tall?: boolean
  children: ReactNode
}

/** Lies over the cell, higher where there is no room for all of it; the fault beneath it. */
export function EditorBox({ box, fault, tall = false, children }: EditorBoxProps) {
  const element = useRef<HTMLDivElement>(null)
  const [lift, setLift] = useState(0)
  const { top } = box
  useLayoutEffect(() => {
    const measure = () => {
      const below = top + element.current!.offsetHeight + EDGE - innerHeight
      setLift(Math.max(0, Math.min(below, top - EDGE)))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [top])
  const width = Math.max(box.width, tall ? 360 : fault ? 200 : 120)
  const left = Math.max(EDGE, Math.min(box.left, innerWidth - width - EDGE))
  return (
    <div
      ref={element}
      className={css.editor}
      style={{ top: box.top - lift, left, width, minHeight: box.height }}
    >
      {children}
      {fault && <FaultLine className={css.fault}>{fault}</FaultLine>}
    </div>
  )
}

/** Pixels to the edge of the window. */
const EDGE = 4
