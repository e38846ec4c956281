import type { Schema } from '../data/index.ts'
import {
  declaredField,
  fieldPattern,
  inputs,
  matchesField,
  propertiesOf,
  schemaOf,
  type Aggregate,
  type Expr,
  type FieldPattern,
  type LogicalPlan,
  type TableDefinition,
} from '../plan/index.ts'

/** Names that are visible in the rows that a node reads, with their meaning. */
export interface Scope {
  readonly schema: Schema
  /** Aliases of stored fields, except those whose name or field a stage has replaced. */
  readonly aliases: ReadonlyMap<string, string>
  /** Field that bare words search; without one they search every field. */
  readonly textField: string | undefined
  /** Fields of the table that form `_stream`; empty if a stage has made that column. */
  readonly streamFields: readonly string[]
  /** Labels that `_stream` may have in these rows; `undefined` if a stage wrote it as an arbitrary string. */
  readonly streamLabels: readonly FieldPattern[] | undefined
}

/** Field with the name of a row's stream. */
export const STREAM = '_stream'

export const noAliases: ReadonlyMap<string, string> = new Map()

export function tableScope(table: TableDefinition): Scope {
  const { schema, aliases, textField, streamFields } = table
  return { schema, aliases, textField, streamFields, streamLabels: streamFields.map((name) => fieldPattern(name)) }
}

/** True if rows of this schema can have the field. */
export function canHave(schema: Schema, name: string): boolean {
  return schema.isOpen || declaredField(schema, name) !== undefined
}

/** Returns the field that a written name means: itself if the rows have it, else the field that it is an alias of. */
export function resolveName(scope: Scope, name: string): string {
  if (declaredField(scope.schema, name) !== undefined) return name
  const target = scope.aliases.get(name)
  return target !== undefined && canHave(scope.schema, target) ? target : name
}

function keep(aliases: ReadonlyMap<string, string>, isKept: (alias: string, target: string) => boolean) {
  const kept = new Map<string, string>()
  for (const [alias, target] of aliases) if (isKept(alias, target)) kept.set(alias, target)
  return kept.size === aliases.size ? aliases : kept
}

/** True if a function with undeclared outputs may overwrite an alias; names that begin with `_` are safe. */
function hides(writes: readonly FieldPattern[], alias: string): boolean {
  return !alias.startsWith('_') && writes.some((pattern) => pattern.parts.length > 1 && matchesField(pattern, alias))
}

/** Returns the output columns of a grouping that hold the same field as before, or a bucket of it. */
function keyFields(node: Aggregate): ReadonlySet<string> {
  const names = new Set<string>()
  for (const key of node.keys) {
    const source = key.expr.kind === 'bucket' ? key.expr.arg : key.expr
    if (source.kind === 'column' && source.name === key.name) names.add(key.name)
  }
  return names
}

/** Returns the labels that `_stream` may have in the rows of a bound node. */
function labelsAbove(node: LogicalPlan, { streamLabels }: Scope): Scope['streamLabels'] {
  if (node.kind === 'apply' && node.fn === 'set_stream_fields') {
    if (node.condition === undefined) return node.use.reads
    return streamLabels === undefined ? undefined : [...streamLabels, ...node.use.reads]
  }
  const isOfTable = (expr: Expr): boolean => expr.kind === 'call' && expr.name === 'stream-name'
  if (node.kind === 'extend' && node.assignments.every(({ name, expr }) => name !== STREAM || isOfTable(expr))) {
    return streamLabels
  }
  return propertiesOf(node).touches?.some((pattern) => matchesField(pattern, STREAM)) === false
    ? streamLabels
    : undefined
}

/** Returns the scope of the output rows of a bound node, computed from the scopes of its inputs. */
export function scopeAbove(node: LogicalPlan, scopeOf: (input: LogicalPlan) => Scope, fallback: Scope): Scope {
  const below = inputs(node).map(scopeOf)
  const first = below[0] === undefined ? fallback : { ...below[0], streamLabels: labelsAbove(node, below[0]) }
  const schema = schemaOf(node)
  switch (node.kind) {
    case 'scan':
    case 'values':
      return { ...fallback, schema, aliases: node.kind === 'scan' ? fallback.aliases : noAliases }
    case 'aggregate': {
      const fields = keyFields(node)
      return { ...first, schema, aliases: keep(first.aliases, (_, target) => fields.has(target)) }
    }
    case 'apply':
      return { ...first, schema, aliases: keep(first.aliases, (alias) => !hides(node.use.writes, alias)) }
    case 'table-apply':
      return node.keepsInputFields ? { ...first, schema } : { ...first, schema, aliases: noAliases }
    case 'union':
      return {
        ...first,
        schema,
        aliases: keep(first.aliases, (alias, target) => below.every((s) => s.aliases.get(alias) === target)),
      }
    default:
      return { ...first, schema }
  }
}
