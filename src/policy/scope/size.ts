import { atPath, type Diagnostic, type JsonPath } from '../../base/index.ts'
import { operatorNamed } from '../../lang/json/index.ts'
import { scopeKinds, type DataScope, type FilterGroup } from '../../wire/index.ts'
import { policyDiagnostic } from './diagnostics.ts'

/** Characters of patterns: the thread that takes requests compiles them, for each table, when a policy is written. */
const MAX_PATTERN_CHARACTERS = 10_000

function patternCharacters(group: FilterGroup | undefined): number {
  let count = 0
  for (const { op = '', value } of (group?.conditions ?? []).flatMap(({ filters }) => filters ?? [])) {
    if (operatorNamed(op.trim().toLowerCase())?.name.endsWith('regex') !== true) continue
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    for (const pattern of values) count += typeof pattern === 'string' ? pattern.length : 0
  }
  for (const inner of group?.groups ?? []) count += patternCharacters(inner)
  return count
}

/** What of a new scope is more than one policy may hold. Scopes that are stored already are enforced whatever their size. */
export function scopeSizeFaults({ simple, advanced }: DataScope, path: JsonPath): readonly Diagnostic[] {
  const groups = [simple, ...scopeKinds.map((kind) => advanced?.[kind])]
  const count = groups.reduce((sum, group) => sum + patternCharacters(group), 0)
  const limit = MAX_PATTERN_CHARACTERS
  return count > limit ? [policyDiagnostic('scope-size', { count, limit }, atPath(path))] : []
}
