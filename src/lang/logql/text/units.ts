import { readSize } from '../../../functions/logql/index.ts'
import { PROMETHEUS_UNITS } from '../../go-scanner/index.ts'

/** Formats a duration as Go does: `1h30m0s`, `1.5ms`. */
export function printDurationNs(ns: number): string {
  if (ns === 0) return '0s'
  const sign = ns < 0 ? '-' : ''
  const size = Math.abs(ns)
  const fraction = (unit: number, name: string): string => `${sign}${trimmed(size, unit)}${name}`
  if (size < 1e3) return fraction(1, 'ns')
  if (size < 1e6) return fraction(1e3, 'µs')
  if (size < 1e9) return fraction(1e6, 'ms')
  const hours = Math.floor(size / 3.6e12)
  const minutes = Math.floor((size % 3.6e12) / 6e10)
  const seconds = `${trimmed(size % 6e10, 1e9)}s`
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}`
  return minutes > 0 ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`
}

/** Returns `whole / unit` as an exact decimal. `unit` must be a power of ten. */
function trimmed(whole: number, unit: number): string {
  const digits = String(unit).length - 1
  const fraction = String(whole % unit)
    .padStart(digits, '0')
    .replace(/0+$/, '')
  return `${Math.floor(whole / unit)}${fraction === '' || digits === 0 ? '' : `.${fraction}`}`
}

/** Formats a duration as Prometheus does, without zero units: `1h30m`. */
export function printRange(ms: number): string {
  if (ms === 0) return '0s'
  const parts: string[] = []
  let rest = Math.abs(ms)
  for (const [unit, size] of PROMETHEUS_UNITS) {
    // Years and weeks are used only if they divide the rest exactly, because `53w` is clearer than `1y6d`.
    if ((unit === 'y' || unit === 'w') && rest % size !== 0) continue
    const count = Math.floor(rest / size)
    if (count === 0) continue
    parts.push(`${count}${unit}`)
    rest -= count * size
  }
  return `${ms < 0 ? '-' : ''}${parts.join('')}`
}

/** Parses a size with a unit, such as `1.5KiB`, to bytes. */
export function readBytes(text: string): number | undefined {
  const bytes = readSize(text)
  return typeof bytes === 'number' ? bytes : undefined
}

const DECIMAL_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB']

/** Formats a size in bytes, rounded to two or three digits, such as `1.5MB`. */
function roundedBytes(bytes: number): string {
  if (bytes < 10) return `${bytes}B`
  const power = Math.floor(Math.log10(bytes) / 3 + Number.EPSILON)
  const value = Math.floor((bytes / 1000 ** power) * 10 + 0.5) / 10
  return `${value < 10 ? value.toFixed(1) : value.toFixed(0)}${DECIMAL_UNITS[power] ?? ''}`
}

/** Formats a size in its shortest form that parses to the same number of bytes: `1.5MB`, `1024B`. */
export function printBytes(bytes: number): string {
  const rounded = roundedBytes(bytes)
  return readBytes(rounded) === bytes ? rounded : `${bytes}B`
}
