import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { ImportFault } from '#src/imports/source.ts'
import type { ArchivedFile } from '#src/imports/zip/archive.ts'

/** What is done with the parts of a document, as they come; names are without their namespaces. */
export interface XmlHandler {
  /** The row of a sheet, from 1. */
  readonly line?: number
  open?(name: string, attributes: Record<string, string>): void
  close?(name: string): void
  text?(text: string): void
}

/** Reads a document piece by piece; yields after each, so that what it gave can be taken. Knows no entities but XML's own. */
export async function* readXml(file: ArchivedFile, handler: XmlHandler): AsyncGenerator<undefined> {
  const parser = new SaxesParser()
  let fault: Error | undefined
  let line: number | undefined
  parser.on('error', (error) => {
    line ??= handler.line || undefined
    fault ??= error
  })
  parser.on('opentag', (tag: SaxesTagPlain) => handler.open?.(localName(tag.name), tag.attributes))
  parser.on('closetag', (tag) => handler.close?.(localName(tag.name)))
  parser.on('text', (text) => handler.text?.(text))
  parser.on('cdata', (text) => handler.text?.(text))
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of await file.open()) {
      parser.write(decoder.decode(chunk as Buffer, { stream: true }))
      if (fault) throw fault
      yield undefined
    }
    parser.write(decoder.decode()).close()
    if (fault) throw fault
  } catch (error) {
    if (error instanceof ImportFault || (error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    const place = { file: file.path, line: line ?? (handler.line || undefined) }
    throw new ImportFault(`this is no XML: ${(error as Error).message.slice(0, 200)}`, place)
  }
  yield undefined
}

export async function readWhole(file: ArchivedFile | undefined, handler: XmlHandler): Promise<void> {
  if (file) for await (const _ of readXml(file, handler));
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
