import type { Query } from '../ast.ts'

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isQuery(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, unknown>> & Query {
  return Array.isArray(value['options']) && Array.isArray(value['pipes']) && 'isIncomplete' in value
}

function mapMembers(value: unknown, map: (query: Query) => Query): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    const mapped = items.map((item) => mapValue(item, map))
    return mapped.every((item, i) => item === items[i]) ? value : mapped
  }
  if (!isRecord(value)) return value
  let changed: Record<string, unknown> | undefined
  for (const [name, member] of Object.entries(value)) {
    const next = mapValue(member, map)
    if (next !== member) {
      changed ??= { ...value }
      changed[name] = next
    }
  }
  return changed ?? value
}

function mapValue(value: unknown, map: (query: Query) => Query): unknown {
  return isRecord(value) && !Array.isArray(value) && isQuery(value) ? map(value) : mapMembers(value, map)
}

/**
 * Applies `map` to the queries directly inside a query, pipe or filter: subqueries of filters, and inputs of joins and
 * unions. `map` must handle deeper queries itself. Searches all members, so that new kinds of filters and pipes are
 * covered. Returns the same object if nothing changed.
 */
export function mapNested<T extends object>(node: T, map: (query: Query) => Query): T {
  return mapMembers(node, map) as T
}
