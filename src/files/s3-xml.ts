const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** The texts of all elements of that name, which have no elements in them. */
export const textsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, text]) => unescaped(text!))

/** Of each element of that name the texts of these in it. */
export function attributesOf(xml: string, name: string, inner: readonly string[]): (string | undefined)[][] {
  const elements = xml.match(new RegExp(`<${name}>.*?</${name}>`, 'gs')) ?? []
  return elements.map((element) => inner.map((each) => textsOf(element, each)[0]))
}

const unescaped = (text: string) =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, named: string) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex as string, 16))
    return ENTITIES[named] ?? whole
  })
