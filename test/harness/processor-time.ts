import process from 'node:process'

/**
 * Milliseconds of processor time this thread has used. Unlike the clock, it stands still while other programs have the
 * processor, so a bound on it holds on a busy machine too.
 */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
