// What a route may be sent before anybody knows who sends it, by size in bytes.

const nested = (open: string, close: string) => (size: number) =>
  open.repeat(size / (open.length + close.length)) + close.repeat(size / (open.length + close.length))
/** Bodies that a route may be sent before anybody knows who sends them. */
export const BODIES: Record<string, [type: string, body: (size: number) => string]> = {
  'nested lists': ['application/json', nested('[', ']')],
  'nested maps': ['application/json', nested('{"a":', '}')],
  'many keys': [
    'application/json',
    (size) => `{${Array.from({ length: size / 12 }, (_, i) => `"k${i}":1`).join()}}`,
  ],
  'one number': ['application/json', (size) => '1'.repeat(size)],
  escapes: ['application/json', (size) => `"${'\\u0061'.repeat(size / 6)}"`],
  'a form of many': ['application/x-www-form-urlencoded', (size) => 'a=%20&'.repeat(size / 6)],
  'a form of one': ['application/x-www-form-urlencoded', (size) => `a=${'+'.repeat(size)}`],
  'no type': ['x'.repeat(100), (size) => ' '.repeat(size)],
}
/** Headers that something reads, in forms that are slow to read. */
export const HEADERS: Record<string, (size: number) => string> = {
  cookie: (size) => 'a=%20; '.repeat(size / 7),
  'accept-language': (size) => 'a;q=0.1,'.repeat(size / 8),
  'accept-encoding': (size) => 'gzip;q=0,'.repeat(size / 9),
  accept: (size) => 'a/b;q=1,'.repeat(size / 8),
  authorization: (size) => `Bearer ${'a.'.repeat(size / 2)}`,
  'if-none-match': (size) => '"a", '.repeat(size / 5),
  'if-match': (size) => `W/${' '.repeat(size)}x`,
  'x-forwarded-for': (size) => '1.2.3.4, '.repeat(size / 9),
  forwarded: (size) => 'for=a;by=b,'.repeat(size / 11),
  origin: (size) => `http://${'a.'.repeat(size / 2)}`,
  'idempotency-key': (size) => 'a'.repeat(size),
  range: (size) => `bytes=${'0-1,'.repeat(size / 4)}`,
  'content-type': (size) => `application/json;${' '.repeat(size)}a`,
}
export const QUERIES: Record<string, (size: number) => string> = {
  'many names': (size) =>
    Array.from({ length: size / 6 }, (_, i) => `k${i}=`)
      .join('&')
      .slice(0, size),
  'one name': (size) => 'a=&'.repeat(size / 3),
  brackets: (size) => `a${'[a]'.repeat(size / 3)}=`,
  escapes: (size) => `a=${'%2'.repeat(size / 2)}`,
}
export const PATHS: Record<string, (size: number) => string> = {
  slashes: (size) => '/'.repeat(size),
  dots: (size) => '/..%2f'.repeat(size / 6),
  'a long name': (size) => `/api/${'a'.repeat(size)}`,
}
