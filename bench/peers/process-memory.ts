import { readFileSync, writeFileSync } from 'node:fs'

/** Resets the peak of resident memory on Linux. Elsewhere the peak is that of the whole process life. */
export function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // The system cannot reset it; the peak then includes loading, so it is never too low.
  }
}

/** Returns the highest resident bytes since the last reset. */
export function peakBytes(): number {
  try {
    const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))
    if (found !== null) return Number(found[1]) * 1024
  } catch {
    // Read below instead.
  }
  return process.resourceUsage().maxRSS * 1024
}

/** Returns the resident bytes, after garbage collection when the process runs with `--expose-gc`. */
export function residentBytes(): number {
  for (let i = 0; i < 3; i++) globalThis.gc?.()
  return process.memoryUsage.rss()
}
