import type { ReactNode } from 'react'
import css from '#web/table/cell-editor.module.css'

interface EditorBoxProps {
  box: DOMRect
  fault?: string | undefined
  tall?: boolean
  children: ReactNode
}

/** Lies over the cell; the fault beneath it. */
export function EditorBox({ box, fault, tall = false, children }: EditorBoxProps) {
  const width = Math.max(box.width, tall ? 360 : fault ? 200 : 120)
  const left = Math.max(4, Math.min(box.left, innerWidth - width - 4))
  return (
    <div className={css.editor} style={{ top: box.top, left, width, minHeight: box.height }}>
      {children}
      {fault && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
