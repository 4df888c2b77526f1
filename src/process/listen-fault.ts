/** How a name that leads nowhere, or a resolver that is away, is reported. */
const UNKNOWN_NAME = new Set(['ENOTFOUND', 'EAI_AGAIN'])

export interface ListenFault {
  says: string
  way: string
}

/** What keeps a program from listening where it is set to, in words; null: it is another fault. */
export function listenFault(error: unknown): ListenFault | null {
  const { code, address, port, hostname } = error as Partial<
    Record<'code' | 'address' | 'port' | 'hostname', string>
  >
  if (code === 'EADDRINUSE')
    return { says: `${address}:${port} is in use`, way: 'stop what listens there, or set PORT' }
  if (code === 'EACCES' && port)
    return { says: `${address}:${port} may not be used`, way: 'set PORT to 1024 or above' }
  if (code === 'EADDRNOTAVAIL') return { says: `${address} is no address of this machine`, way: 'set HOST' }
  if (hostname && UNKNOWN_NAME.has(code ?? ''))
    return {
      says: `${hostname} is no name of this machine`,
      way: 'set HOST, or METRICS_HOST, to an address',
    }
  return null
}
