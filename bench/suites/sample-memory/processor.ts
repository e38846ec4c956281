/** Processor time of this process, milliseconds: it depends less on who else runs than the clock does. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export function timed<T>(work: () => T): { readonly ms: number; readonly found: T } {
  const startedMs = processorMs()
  const found = work()
  return { ms: processorMs() - startedMs, found }
}
