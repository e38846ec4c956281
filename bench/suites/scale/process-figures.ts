import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Of another process; only Linux tells. */
export interface ProcessFigures {
  readonly residentBytes: number
  /** Resident at most since `resetPeakOf`. */
  readonly peakBytes: number
  /** User and system, of all its threads. */
  readonly cpuSeconds: number
  /** Asked of files and sockets, and how often; what of it came from the disk. */
  readonly readBytes: number
  readonly reads: number
  readonly diskBytes: number
}

/** Ticks a second in which the system counts processor time. */
const TICKS = 100

export function figuresOf(pid: number): ProcessFigures {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const io = readFileSync(`/proc/${pid}/io`, 'utf8')
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const numberIn = (text: string, name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
  // Behind the name, which may have blanks: user and system time are the twelfth and thirteenth.
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

/** The peak counts from now on. */
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

/** Files at once in one command line. */
const AT_ONCE = 500

/** Has the system forget what it holds of files; says whether it did. */
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
