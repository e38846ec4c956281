import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Figures of another process, which only Linux reports. */
export interface ProcessFigures {
  readonly residentBytes: number
  /** The highest resident bytes since `resetPeakOf`. */
  readonly peakBytes: number
  /** Processor seconds of all threads, in user and system mode. */
  readonly cpuSeconds: number
  /** Bytes read from files and sockets, the number of reads, and the bytes that came from the disk. */
  readonly readBytes: number
  readonly reads: number
  readonly diskBytes: number
}

/** The clock ticks in a second in which Linux counts processor time. */
const TICKS = 100

export function figuresOf(pid: number): ProcessFigures {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const io = readFileSync(`/proc/${pid}/io`, 'utf8')
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const numberIn = (text: string, name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
  // User and system time are the twelfth and thirteenth fields behind the name, which may contain blanks.
  const times = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    residentBytes: numberIn(status, 'VmRSS') * 1024,
    peakBytes: numberIn(status, 'VmHWM') * 1024,
    cpuSeconds: (Number(times[11]) + Number(times[12])) / TICKS,
    readBytes: numberIn(io, 'rchar'),
    reads: numberIn(io, 'syscr'),
    diskBytes: numberIn(io, 'read_bytes'),
  }
}

/** Starts a new measurement of the peak. */
export function resetPeakOf(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

export function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

export function bytesOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
}

/** The most files in one command line. */
const AT_ONCE = 500

/** Removes files from the system's cache and returns whether that worked. */
export function evict(files: readonly string[]): boolean {
  const script = 'for file; do dd if="$file" iflag=nocache count=0 status=none || exit 1; done'
  try {
    for (let at = 0; at < files.length; at += AT_ONCE)
      execFileSync('sh', ['-c', script, 'sh', ...files.slice(at, at + AT_ONCE)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
