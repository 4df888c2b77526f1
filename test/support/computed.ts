/** Milliseconds that this thread has computed: not the clock's, so other programs of the machine do not count. */
export function computed(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
