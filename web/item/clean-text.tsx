import { useLayoutEffect, useRef } from 'react'
import { cleanHtml, isMarkup } from '#web/item/clean-html.ts'
import css from '#web/item/clean-text.module.css'

/** A description as it is read. Loaded lazily, with what cleans it. */
export function CleanText({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    place.current!.replaceChildren(cleanHtml(html))
  }, [html])
  return <div ref={place} className={`${css.text} ${isMarkup(html) ? '' : css.plain}`} />
}
