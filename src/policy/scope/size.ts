import { atPath, type Diagnostic, type JsonPath } from '../../base/index.ts'
import { operatorNamed } from '../../lang/json/index.ts'
import { scopeKinds, type DataScope, type FilterGroup } from '../../wire/index.ts'
import { policyDiagnostic } from './diagnostics.ts'

/**
 * Maximum total length of the patterns in a scope, UTF-16 units. Writing a policy compiles the patterns for each table
 * on the request thread.
 */
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

/** Reports a new scope that exceeds the size of one policy. Scopes that are already stored are enforced at any size. */
export function scopeSizeFaults({ simple, advanced }: DataScope, path: JsonPath): readonly Diagnostic[] {
  const groups = [simple, ...scopeKinds.map((kind) => advanced?.[kind])]
  const count = groups.reduce((sum, group) => sum + patternCharacters(group), 0)
  const limit = MAX_PATTERN_CHARACTERS
  return count > limit ? [policyDiagnostic('scope-size', { count, limit }, atPath(path))] : []
}
