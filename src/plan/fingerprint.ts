import { FNV_FACTOR, FNV_FIRST } from '../base/index.ts'
import type { LogicalPlan } from './kinds.ts'

/** Returns 16 hex digits: two 32-bit hashes of the UTF-16 code units, FNV-1a and a variant of it. */
function hashText(text: string): string {
  let a = FNV_FIRST
  let b = FNV_FACTOR
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    a = Math.imul(a ^ unit, FNV_FACTOR)
    b = Math.imul(b ^ (unit + i), 0x85ebca6b)
    b ^= b >>> 13
  }
  return (a >>> 0).toString(16).padStart(8, '0') + (b >>> 0).toString(16).padStart(8, '0')
}

function structure(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  if (value instanceof Map) return [...value].map((entry) => entry.map(structure))
  if (Array.isArray(value)) return value.map(structure)
  if (value !== null && typeof value === 'object') {
    const members: [string, unknown][] = []
    for (const [name, member] of Object.entries(value)) {
      if (name === 'origin' || member === undefined) continue
      members.push([name, structure(member)])
    }
    return [value.constructor.name, ...members]
  }
  return value
}

/**
 * Returns a fingerprint of 16 hex digits. It is equal for plans of equal structure, guards included and origins
 * excluded.
 */
export function fingerprint(plan: LogicalPlan): string {
  return hashText(JSON.stringify(structure(plan)))
}
