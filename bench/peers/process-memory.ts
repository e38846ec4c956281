import { readFileSync, writeFileSync } from 'node:fs'

/** Forgets the highest resident size so far, where the system can (Linux); else the peak is that of the whole life. */
export function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5')
  } catch {
    // Not on this system: the peak then includes what loading needed, which is never too little.
  }
}

/** Bytes resident at most since the last reset. */
export function peakBytes(): number {
  try {
    const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))
    if (found !== null) return Number(found[1]) * 1024
  } catch {
    // Read below instead.
  }
  return process.resourceUsage().maxRSS * 1024
}

/** Bytes resident now, after garbage is gone when the process was started with `--expose-gc`. */
export function residentBytes(): number {
  for (let i = 0; i < 3; i++) globalThis.gc?.()
  return process.memoryUsage.rss()
}
