/**
 * Returns the processor milliseconds of this process, which depend less on other work of the machine than wall time.
 */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export function timed<T>(work: () => T): { readonly ms: number; readonly found: T } {
  const startedMs = processorMs()
  const found = work()
  return { ms: processorMs() - startedMs, found }
}
