import type { Origin } from '../base/index.ts'
import { call, column, declaredField, literal, type Call, type LogicalPlan } from '../plan/index.ts'
import type { Scope } from './scope.ts'

const STREAM = '_stream'
const STREAM_ID = '_stream_id'

function isComputed({ schema }: Scope, name: string): boolean {
  return schema.isOpen && declaredField(schema, name) === undefined
}

function nameRead(scope: Scope, origin: Origin): Call | undefined {
  const { streamFields } = scope
  if (streamFields.length === 0 || !isComputed(scope, STREAM)) return undefined
  const labels = streamFields.flatMap((field) => [literal(field, origin), column(field, origin)])
  return call('stream-name', [column(STREAM, origin), ...labels], origin)
}

/** An id made of the stream's name: that of the table's stream fields, or what a stage before has made it. */
function idRead(scope: Scope, origin: Origin): Call | undefined {
  if (!isComputed(scope, STREAM_ID)) return undefined
  const isMade = declaredField(scope.schema, STREAM) !== undefined
  const name = isMade ? column(STREAM, origin) : nameRead(scope, origin)
  return name === undefined ? undefined : call('stream-id', [column(STREAM_ID, origin), name], origin)
}

/**
 * What a read of `_stream` or `_stream_id` stands for: a text made of the table's stream fields. `undefined` for other
 * names, and where a stage before has made or fixed the columns, so that the name is an ordinary one.
 */
export function streamNameRead(scope: Scope, name: string, origin: Origin): Call | undefined {
  if (name === STREAM) return nameRead(scope, origin)
  return name === STREAM_ID ? idRead(scope, origin) : undefined
}

/** The rows with `_stream` or `_stream_id` as a column, for nodes that name fields instead of reading expressions. */
export function withStreamName(input: LogicalPlan, scope: Scope, names: Iterable<string | undefined>): LogicalPlan {
  const wanted = new Set(names)
  const { origin } = input
  const assignments = [STREAM, STREAM_ID].flatMap((name) => {
    const expr = wanted.has(name) ? streamNameRead(scope, name, origin) : undefined
    return expr === undefined ? [] : [{ name, expr, type: 'string' as const }]
  })
  return assignments.length === 0 ? input : { kind: 'extend', input, assignments, origin }
}
