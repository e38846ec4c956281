import type { Origin } from '../base/index.ts'
import { call, column, declaredField, literal, type Call, type LogicalPlan } from '../plan/index.ts'
import type { Scope } from './scope.ts'

const STREAM = '_stream'

/**
 * What a read of `_stream` stands for: a text made of the table's stream fields. `undefined` for other names, and where
 * a stage before has made or fixed the columns, so that the name is an ordinary one.
 */
export function streamNameRead(scope: Scope, name: string, origin: Origin): Call | undefined {
  const { schema, streamFields } = scope
  if (name !== STREAM || streamFields.length === 0 || !schema.isOpen || declaredField(schema, name) !== undefined) {
    return undefined
  }
  const labels = streamFields.flatMap((field) => [literal(field, origin), column(field, origin)])
  return call('stream-name', [column(STREAM, origin), ...labels], origin)
}

/** The rows with `_stream` as a column, for nodes that name fields instead of reading expressions. */
export function withStreamName(input: LogicalPlan, scope: Scope, names: Iterable<string | undefined>): LogicalPlan {
  if (![...names].includes(STREAM)) return input
  const expr = streamNameRead(scope, STREAM, input.origin)
  if (expr === undefined) return input
  const assignments = [{ name: STREAM, expr, type: 'string' as const }]
  return { kind: 'extend', input, assignments, origin: input.origin }
}
