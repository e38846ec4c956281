import { atPath, type Diagnostic, type JsonPath } from '../../base/index.ts'
import { operatorNamed } from '../../lang/json/index.ts'
import { scopeKinds, type DataScope, type FilterGroup } from '../../wire/index.ts'
import { policyDiagnostic } from './diagnostics.ts'

/** What one scope may hold: the thread that takes requests compiles it, for each table, when a policy is written. */
const LIMITS = { values: 20_000, patternCharacters: 10_000 } as const

type Size = Record<keyof typeof LIMITS, number>

function add(size: Size, group: FilterGroup | undefined): void {
  for (const { filters } of group?.conditions ?? []) {
    for (const { op = '', value } of filters ?? []) {
      const values: readonly unknown[] = Array.isArray(value) ? value : [value]
      size.values += values.length
      if (operatorNamed(op.trim().toLowerCase())?.name.endsWith('regex') !== true) continue
      for (const pattern of values) size.patternCharacters += typeof pattern === 'string' ? pattern.length : 0
    }
  }
  for (const inner of group?.groups ?? []) add(size, inner)
}

/** What of a new scope is more than one policy may hold. Scopes that are stored already are enforced whatever their size. */
export function scopeSizeFaults({ simple, advanced }: DataScope, path: JsonPath): readonly Diagnostic[] {
  const size: Size = { values: 0, patternCharacters: 0 }
  for (const group of [simple, ...scopeKinds.map((kind) => advanced?.[kind])]) add(size, group)
  const words = { values: 'values', patternCharacters: 'characters of patterns' } as const
  return (['values', 'patternCharacters'] as const)
    .filter((what) => size[what] > LIMITS[what])
    .map((what) =>
      policyDiagnostic('scope-size', { count: size[what], limit: LIMITS[what], what: words[what] }, atPath(path)),
    )
}
